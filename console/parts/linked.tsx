import { href } from '../router.ts';

/** A name or an id (`code`) as a link to its page; without an address as text. */
export function Linked({
  address,
  text,
  code = false,
}: {
  address: string | null | false;
  text: string;
  code?: boolean;
}) {
  const name = code ? <code>{text}</code> : <bdi>{text}</bdi>;
  return address ? <a href={href(address)}>{name}</a> : name;
}
