import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Vector } from '../scripts/print-webhook-vectors.ts';
import { MINUTE } from '../src/base/clock.ts';

/**
 * The functions of docs/snippets as receivers would use them, each called by a small program of its language. The
 * program reads one case a line: secret, timestamp, signature, body in hex and the time in epoch milliseconds, apart
 * by tabs. It prints a line `true` or `false` for each.
 */
const SNIPPETS = fileURLToPath(new URL('../docs/snippets', import.meta.url));
const guide = readFileSync(new URL('../docs/webhooks.md', import.meta.url), 'utf8');
const vectors: Vector[] = JSON.parse(
  readFileSync(new URL('../docs/webhook-vectors.json', import.meta.url), 'utf8'),
);

type Language = {
  /** The language of its code block in the guide. */
  fence: string;
  /** Its file in docs/snippets, when the name differs. */
  snippet: string;
  as?: string;
  /** Shows that the language is there. */
  asks: [string, ...string[]];
  /** The files of the calling program, by name. */
  files: Record<string, string>;
  /** One after the other, in the folder of the files; the last one gets the cases. */
  commands: [string, ...string[]][];
  env?: Record<string, string>;
};

const LANGUAGES: Record<string, Language> = {
  TypeScript: {
    fence: 'ts',
    snippet: 'verify.ts',
    asks: [process.execPath, '--version'],
    files: {
      'run.mts': `
import { readFileSync } from 'node:fs';
import { isGenuine } from './verify.ts';

for (const line of readFileSync(0, 'utf8').split('\\n')) {
  const [secret, timestamp, signature, hex, now] = line.split('\\t');
  console.log(isGenuine(secret!, timestamp!, signature!, Buffer.from(hex!, 'hex'), Number(now)));
}
`,
    },
    commands: [[process.execPath, 'run.mts']],
  },
  Python: {
    fence: 'python',
    snippet: 'verify.py',
    asks: ['python3', '--version'],
    files: {
      'run.py': `
import sys
from datetime import datetime, timezone
from verify import is_genuine

for line in sys.stdin.read().split("\\n"):
    secret, timestamp, signature, body, now = line.split("\\t")
    at = datetime.fromtimestamp(int(now) / 1000, timezone.utc)
    print("true" if is_genuine(secret, timestamp, signature, bytes.fromhex(body), at) else "false")
`,
    },
    commands: [['python3', 'run.py']],
  },
  PHP: {
    fence: 'php',
    snippet: 'verify.php',
    asks: ['php', '--version'],
    files: {
      'run.php': `<?php
require 'verify.php';

foreach (explode("\\n", stream_get_contents(STDIN)) as $line) {
    [$secret, $timestamp, $signature, $body, $now] = explode("\\t", $line);
    $genuine = isGenuine($secret, $timestamp, $signature, hex2bin($body), intdiv((int) $now, 1000));
    echo $genuine ? 'true' : 'false', "\\n";
}
`,
    },
    commands: [['php', 'run.php']],
  },
  Java: {
    fence: 'java',
    snippet: 'Verify.java',
    asks: ['javac', '--version'],
    files: {
      'Run.java': `
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.time.Instant;
import java.util.HexFormat;

public class Run {
    public static void main(String[] args) throws Exception {
        BufferedReader cases = new BufferedReader(new InputStreamReader(System.in));
        for (String line; (line = cases.readLine()) != null;) {
            String[] part = line.split("\\t", -1);
            Instant now = Instant.ofEpochMilli(Long.parseLong(part[4]));
            byte[] body = HexFormat.of().parseHex(part[3]);
            System.out.println(Verify.isGenuine(part[0], part[1], part[2], body, now));
        }
    }
}
`,
    },
    commands: [
      ['javac', 'Verify.java', 'Run.java'],
      ['java', '-cp', '.', 'Run'],
    ],
  },
  Go: {
    fence: 'go',
    snippet: 'verify.go',
    as: 'webhooks/verify.go',
    asks: ['go', 'version'],
    files: {
      'go.mod': 'module receiver\n\ngo 1.18\n',
      'main.go': `
package main

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"receiver/webhooks"
)

func main() {
	cases := bufio.NewScanner(os.Stdin)
	cases.Buffer(nil, 1<<20)
	for cases.Scan() {
		part := strings.Split(cases.Text(), "\\t")
		body, err := hex.DecodeString(part[3])
		if err != nil {
			panic(err)
		}
		now, err := strconv.ParseInt(part[4], 10, 64)
		if err != nil {
			panic(err)
		}
		fmt.Println(webhooks.IsGenuine(part[0], part[1], part[2], body, time.UnixMilli(now)))
	}
}
`,
    },
    commands: [['go', 'run', '.']],
    env: { GOFLAGS: '-mod=mod', GOPROXY: 'off', GOTOOLCHAIN: 'local', CGO_ENABLED: '0' },
  },
  'C#': {
    fence: 'csharp',
    snippet: 'Verify.cs',
    asks: ['dotnet', '--version'],
    files: {
      'Run.cs': `
using System;

public static class Run
{
    public static void Main()
    {
        string line;
        while ((line = Console.In.ReadLine()) != null)
        {
            var part = line.Split('\\t');
            var body = new byte[part[3].Length / 2];
            for (var i = 0; i < body.Length; i++) body[i] = Convert.ToByte(part[3].Substring(2 * i, 2), 16);
            var now = DateTimeOffset.FromUnixTimeMilliseconds(long.Parse(part[4]));
            Console.WriteLine(Webhooks.IsGenuine(part[0], part[1], part[2], body, now) ? "true" : "false");
        }
    }
}
`,
      'receiver.csproj': `<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <OutputType>Exe</OutputType>
    <TargetFramework>net$(BundledNETCoreAppTargetFrameworkVersion)</TargetFramework>
    <Nullable>disable</Nullable>
  </PropertyGroup>
</Project>
`,
    },
    commands: [
      ['dotnet', 'build', '--nologo', '-v', 'quiet', '-o', 'out'],
      ['dotnet', 'out/receiver.dll'],
    ],
    env: { DOTNET_CLI_TELEMETRY_OPTOUT: '1', DOTNET_NOLOGO: '1' },
  },
};

type Case = {
  name: string;
  secret: string;
  timestamp: string;
  signature: string;
  body: Buffer;
  now: number;
  genuine: boolean;
};

/** The cases of a vector: unchanged, and altered ones. */
function casesOf(vector: Vector): Case[] {
  const { secret, timestamp, signature } = vector;
  const body = Buffer.from(vector.bodyHex, 'hex');
  const now = Date.parse(timestamp);
  const altered = Buffer.from(body);
  altered[altered.length - 2]! ^= 1;
  const flipped = signature.slice(0, -1) + (signature.endsWith('0') ? '1' : '0');
  const later = new Date(now + 1).toISOString();
  const changes: Record<string, Partial<Case>> = {
    'as it is': { genuine: true },
    'four minutes old': { now: now + 4 * MINUTE, genuine: true },
    'four minutes ahead': { now: now - 4 * MINUTE, genuine: true },
    'six minutes old': { now: now + 6 * MINUTE },
    'six minutes ahead': { now: now - 6 * MINUTE },
    'another body': { body: altered },
    'a longer body': { body: Buffer.concat([body, Buffer.from(' ')]) },
    'another signature': { signature: flipped },
    'a shorter signature': { signature: signature.slice(0, -1) },
    'a longer signature': { signature: `${signature}0` },
    'no signature': { signature: '' },
    'the signature without its prefix': { signature: signature.slice('sha256='.length) },
    'another timestamp': { timestamp: later },
    'no timestamp': { timestamp: '' },
    'no time': { timestamp: 'yesterday' },
    'another secret': { secret: `${secret}x` },
  };
  return Object.entries(changes).map(([name, change]) => ({
    name: `${vector.name}: ${name}`,
    secret,
    timestamp,
    signature,
    body,
    now,
    genuine: false,
    ...change,
  }));
}

/** The names of the cases that the snippet judges wrongly. */
async function wrongJudgements(name: string, snippet: string, cases: readonly Case[]): Promise<string[]> {
  const { as, snippet: file, files, commands, env } = LANGUAGES[name]!;
  const folder = mkdtempSync(join(tmpdir(), 'pbs-snippet-'));
  try {
    const place = join(folder, as ?? file);
    mkdirSync(dirname(place), { recursive: true });
    copyFileSync(snippet, place);
    for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text.trimStart());
    const lines = cases.map((one) =>
      [one.secret, one.timestamp, one.signature, one.body.toString('hex'), one.now].join('\t'),
    );
    let output = '';
    for (const command of commands) output = await run(command, folder, lines.join('\n'), env);
    const verdicts = output.trim().split(/\r?\n/);
    assert.equal(verdicts.length, cases.length, output);
    return cases.filter(({ genuine }, index) => verdicts[index] !== String(genuine)).map((one) => one.name);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function run(
  [program, ...args]: [string, ...string[]],
  cwd: string,
  input: string,
  env: Record<string, string> = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      program,
      args,
      { cwd, env: { ...process.env, HOME: cwd, ...env } },
      (error, stdout, stderr) =>
        error ? reject(new Error(`${program}: ${stdout}${stderr}`)) : resolve(stdout),
    );
    child.stdin!.on('error', () => {}); // a compiler does not read the cases
    child.stdin!.end(input);
  });
}

const lacks = ([program, ...args]: [string, ...string[]]): boolean => spawnSync(program, args).status !== 0;

const cases = vectors.flatMap(casesOf);

test('the guide shows the snippets unchanged, one for each language, and no other', () => {
  const files = Object.values(LANGUAGES).map(({ snippet }) => snippet);
  assert.deepEqual(readdirSync(SNIPPETS).sort(), files.sort());
  for (const [name, { fence, snippet }] of Object.entries(LANGUAGES)) {
    const text = readFileSync(join(SNIPPETS, snippet), 'utf8');
    const [, section] = guide.split(`\n### ${name}\n`);
    assert.equal(/```(\w+\n[\s\S]*?)```/.exec(section ?? '')?.[1], `${fence}\n${text}`, name);
  }
});

for (const [name, { snippet, asks }] of Object.entries(LANGUAGES)) {
  test(`${name}: accepts every vector, and refuses altered and old ones`, {
    skip: lacks(asks) && `${asks[0]} is not installed`,
  }, async () => {
    assert.deepEqual(await wrongJudgements(name, join(SNIPPETS, snippet), cases), []);
  });
}

test('a snippet that misses a rule is caught', async () => {
  const text = readFileSync(join(SNIPPETS, 'verify.ts'), 'utf8');
  const folder = mkdtempSync(join(tmpdir(), 'pbs-forgetful-'));
  const file = join(folder, 'verify.ts');
  const judge = async (from: string, to: string): Promise<string[]> => {
    const changed = text.replace(from, to);
    assert.notEqual(changed, text);
    writeFileSync(file, changed);
    const wrong = await wrongJudgements('TypeScript', file, casesOf(vectors[0]!));
    return wrong.map((one) => one.slice(vectors[0]!.name.length + 2));
  };
  try {
    assert.deepEqual(await judge('if (!(age <= TOLERANCE)) return false;', ''), [
      'six minutes old',
      'six minutes ahead',
    ]);
    assert.deepEqual(await judge('Math.abs(now - Date.parse(timestamp))', 'now - Date.parse(timestamp)'), [
      'six minutes ahead',
    ]);
    assert.deepEqual(await judge('.update(body)', '.update(String(body).trim())'), ['a longer body']);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
