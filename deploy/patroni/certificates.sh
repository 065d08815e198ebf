#!/bin/sh
# Makes the certificates of the machines, in the current folder: certificates.sh db1=10.0.0.1 db2=10.0.0.2 db3=10.0.0.3
# An authority of their own (ca.crt; keep ca.key elsewhere), and db1.crt, db1.key, ... for etcd, Patroni and PostgreSQL. They are
# valid for a proxy on 127.0.0.1 too. Ten years; made again with the same ca.key they replace each other one by one.
set -eu
umask 077
key='-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes'
# shellcheck disable=SC2086
[ -e ca.key ] || openssl req -x509 $key -days 3650 -subj /CN=booking-database -keyout ca.key -out ca.crt 2> /dev/null
for machine in "$@"; do
  name=${machine%%=*}
  # shellcheck disable=SC2086
  openssl req $key -subj "/CN=$name" -keyout "$name.key" -out "$name.csr" 2> /dev/null
  printf 'subjectAltName=DNS:%s,IP:%s,IP:127.0.0.1,DNS:localhost\nextendedKeyUsage=serverAuth,clientAuth\n' "$name" "${machine#*=}" > "$name.ext"
  openssl x509 -req -in "$name.csr" -CA ca.crt -CAkey ca.key -CAcreateserial -days 3650 -extfile "$name.ext" \
    -out "$name.crt" 2> /dev/null
  rm "$name.csr" "$name.ext"
done
