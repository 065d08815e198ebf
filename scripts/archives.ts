import { crc32 } from 'node:zlib';

/**
 * Archives whose bytes depend on their files alone: no dates, no owners, no compression, whose output differs by
 * version and processor.
 */

export type ArchiveFile = { path: string; body: Buffer };

/** The time of every file in a tarball of npm (26 October 1985). */
const TAR_TIME = 499_162_500;
/** The earliest date of a zip: 1 January 1980. */
const ZIP_DATE = 0x21;
const TAR_BLOCK = 512;
/** The longest stored block of deflate. */
const MAX_STORED = 0xffff;

/** A gzipped tar archive, in the order of the files. Throws when a path is longer than 100 bytes. */
export function tarball(files: readonly ArchiveFile[]): Buffer {
  const parts = files.flatMap(({ path, body }) => [
    tarHeader(path, body.length),
    body,
    Buffer.alloc(-body.length & (TAR_BLOCK - 1)),
  ]);
  return gzipStored(Buffer.concat([...parts, Buffer.alloc(2 * TAR_BLOCK)]));
}

function tarHeader(path: string, size: number): Buffer {
  if (Buffer.byteLength(path) > 100) throw new Error(`${path} is too long for a tarball`);
  const header = Buffer.alloc(TAR_BLOCK);
  const octal = (value: number, at: number, length: number): void => {
    header.write(value.toString(8).padStart(length - 1, '0'), at);
  };
  header.write(path, 0);
  octal(0o644, 100, 8);
  octal(0, 108, 8); // owner
  octal(0, 116, 8); // group
  octal(size, 124, 12);
  octal(TAR_TIME, 136, 12);
  header.write(' '.repeat(8), 148); // the checksum field counts as blanks
  header.write('0', 156); // a plain file
  header.write('ustar\0' + '00', 257);
  octal(
    header.reduce((sum, byte) => sum + byte, 0),
    148,
    7,
  );
  return header;
}

function gzipStored(body: Buffer): Buffer {
  const parts: Buffer[] = [Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])];
  for (let at = 0; at < body.length; at += MAX_STORED) {
    const block = body.subarray(at, at + MAX_STORED);
    const head = Buffer.alloc(5);
    head[0] = at + MAX_STORED >= body.length ? 1 : 0;
    head.writeUInt16LE(block.length, 1);
    head.writeUInt16LE(~block.length & 0xffff, 3);
    parts.push(head, block);
  }
  const end = Buffer.alloc(8);
  end.writeUInt32LE(crc32(body), 0);
  end.writeUInt32LE(body.length, 4);
  return Buffer.concat([...parts, end]);
}

/** A zip archive, in the order of the files, whose paths are ASCII. */
export function zipArchive(files: readonly ArchiveFile[]): Buffer {
  const locals: Buffer[] = [];
  const entries: Buffer[] = [];
  let offset = 0;
  for (const { path, body } of files) {
    const name = Buffer.from(path);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0); // version 2.0; neither flags nor compression
    common.writeUInt16LE(ZIP_DATE, 8);
    common.writeUInt32LE(crc32(body), 10);
    common.writeUInt32LE(body.length, 14);
    common.writeUInt32LE(body.length, 18);
    common.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, name, body]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(0o100644 * 0x10000, 6); // the permissions
    rest.writeUInt32LE(offset, 10);
    // Made on Unix, so that the permissions count.
    entries.push(Buffer.from('PK\x01\x02'), Buffer.from([20, 3]), common, rest, name);
    locals.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(entries);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 0, 'latin1');
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, directory, end]);
}
