import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import ipaddr from 'ipaddr.js';

/** The response to a name: its addresses of both families, or none, ever. */
export type DnsRecord = readonly string[] | 'never answers' | 'server failure';

export type DnsServer = {
  /** For `dnsServers` of createOutbound. */
  address: string;
  /**
   * By name in lower case, or by type and name (`AAAA one.test`); a test may change it at any time. Other names are
   * NXDOMAIN.
   */
  records: Map<string, DnsRecord>;
  /** `A one.test`, `AAAA one.test`, ... in order of arrival. */
  questions: string[];
  /** The TTL in seconds, or that of each type; 0 unless a test changes it. */
  ttl: number | Readonly<Record<'A' | 'AAAA', number>>;
};

const TYPES: Record<number, 'A' | 'AAAA'> = { 1: 'A', 28: 'AAAA' };
const NO_ERROR = 0;
const SERVER_FAILURE = 2;
const NAME_ERROR = 3;

/** A name server on UDP, closed after the test. */
export async function startDnsServer(t: TestContext): Promise<DnsServer> {
  const records: DnsServer['records'] = new Map();
  const socket = createSocket('udp4');
  const server: DnsServer = { address: '', records, questions: [], ttl: 0 };
  socket.on('message', (query, peer) => {
    const question = questionOf(query);
    server.questions.push(`${TYPES[question.type]} ${question.name}`);
    const record = records.get(`${TYPES[question.type]} ${question.name}`) ?? records.get(question.name);
    if (record === 'never answers') return;
    const ttl = typeof server.ttl === 'number' ? server.ttl : server.ttl[TYPES[question.type]!];
    socket.send(answerTo(query, question, record, ttl), peer.port, peer.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  t.after(() => socket.close());
  server.address = `127.0.0.1:${(socket.address() as AddressInfo).port}`;
  return server;
}

type Question = { name: string; type: number; end: number };

/** The one question of a query: labels after the header of 12 bytes, then type and class. */
function questionOf(query: Buffer): Question {
  const labels: string[] = [];
  let at = 12;
  while (query[at] !== 0) {
    const length = query[at]!;
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function answerTo(query: Buffer, question: Question, record: DnsRecord | undefined, ttl: number): Buffer {
  const width = TYPES[question.type] === 'A' ? 4 : 16;
  const addresses = Array.isArray(record)
    ? record
        .map((address: string) => ipaddr.parse(address).toByteArray())
        .filter(({ length }) => length === width)
    : [];
  const header = Buffer.alloc(12);
  query.copy(header, 0, 0, 2);
  const code = record === undefined ? NAME_ERROR : Array.isArray(record) ? NO_ERROR : SERVER_FAILURE;
  header.writeUInt16BE(0x8180 | code, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(addresses.length, 6);
  const answers = addresses.map((bytes) => {
    const answer = Buffer.alloc(12);
    answer.writeUInt16BE(0xc00c, 0); // the name of the question
    answer.writeUInt16BE(question.type, 2);
    answer.writeUInt16BE(1, 4);
    answer.writeUInt32BE(ttl, 6);
    answer.writeUInt16BE(width, 10);
    return Buffer.concat([answer, Buffer.from(bytes)]);
  });
  return Buffer.concat([header, query.subarray(12, question.end), ...answers]);
}
