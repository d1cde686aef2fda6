/**
 * Runs the commands of the documents in order, in bash, beside a real server. Only ports and the exceptions of
 * test/documents.ts are replaced.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, openSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import {
  documents,
  firstDocument,
  listBrokenLinks,
  listStaleExceptions,
  type Ports,
  pages,
  toScript,
} from './documents.ts'
import { eventually } from './harness.ts'

const repository = fileURLToPath(new URL('../', import.meta.url))
/** Patterns of the expected output, for commands that would also succeed without effect. */
const expectedOutput: Record<string, RegExp[]> = {
  'docs/quickstart.md': [/"status":"COMPLETED"/, /lead\.created \{/, /"status":"delivered"/],
  'docs/guides/create-and-change-leads.md': [/"after": ?"contacted"/],
  'docs/guides/find-leads.md': [/^\+34\d{9} \d+$/m, /"outcome":"full"/],
  'docs/guides/import-a-list.md': [/"status":"COMPLETED"/, /"undone":1/],
  'docs/guides/bring-market-data.md': [/^2 rows .* 2 new/m, /^1 rows .* 1 new/m],
  'docs/guides/test-with-the-simulator.md': [/^\{"now":"/m, /"withdrawn":true/, /"id":"wamid\./],
  'docs/guides/value-a-property.md': [/"excludedComparableIds"/, /"token"|"url"/],
  'docs/guides/campaigns.md': [/BATCH_SIZE_MISSING/, /"status":"running"/, /"status":"paused"/],
  'docs/guides/book-appointments.md': [/SLOT_TAKEN/, /"sequence":1/, /"status":"cancelled"/],
  'docs/guides/appointment-notices.md': [/Hola, Marta Soler/, /"kind":"reminder".*"status":"delivered"/],
  'docs/guides/event-types.md': [/"visibility":"workspace_template"/, /"kind":"round_robin"/],
  'docs/guides/chat.md': [
    /"text":"Hola Marta[^"]*STOP[^"]*".*"status":"delivered"/,
    /"unreadCount":1/,
    /"labels":\["viewing"\]/,
  ],
  'docs/guides/connect-chat-accounts.md': [
    /"provider":"telegram"/,
    /"mode":"chat-no-api"/,
    /"dailyLimit":200/,
  ],
  'docs/guides/connect-whatsapp.md': [/verifyToken/, /"status":"CONNECTED"/],
  'docs/guides/connect-a-mailbox.md': [/^CONNECTED$/m],
  'docs/guides/people-who-write.md': [/"status":"replied"/, /"OPTED_OUT"/, /"to":"\+34655443322"/],
  'docs/guides/test-conversations.md': [/"to":"\+34655001122"/, /"direction":"in"/],
  'docs/guides/write-templates.md': [/"text":"Hello Marta, see you on Wednesday/, /"version":2/],
  'docs/guides/receive-webhooks.md': [/lead\.created/, /"status":"delivered"/],
}
/** npx itself takes more time than most commands. The first document runs the real one. */
const quickNpx = 'PATH="$PWD/node_modules/.bin:$PATH"; npx() { "$@"; }\n'
let ports: Ports
let workDir: string
/** The directory with the data of the first document's server. */
let serverFolder: string | undefined

beforeAll(async () => {
  workDir = join(inject('runDir'), 'documents')
  mkdirSync(workDir)
  // A refused request fails its line, and its reply is shown.
  writeFileSync(join(workDir, '.curlrc'), 'fail-with-body\nshow-error\n')
  const [a, b, c, d] = await Promise.all([findFreePort(), findFreePort(), findFreePort(), findFreePort()])
  ports = { 3000: a!, 4800: b!, 4900: c!, 8080: d! }
})

afterAll(async () => {
  if (!serverFolder) return
  // The signal goes to npm, which forwards it: a second one would end the server before it has stopped its database.
  process.kill(Number.parseInt(readFileSync(join(workDir, 'server.pid'), 'utf8'), 10), 'SIGTERM')
  const postmasterFile = join(serverFolder, 'data', 'postgres', 'postmaster.pid')
  await eventually(
    async () => readdirSync(join(postmasterFile, '..')).includes('postmaster.pid'),
    isThere => !isThere,
    30_000,
  )
})

test('the exceptions exist in the documents', () => {
  expect(listStaleExceptions()).toEqual([])
})

test.each(pages)('%s: links point to an existing file and heading', page => {
  expect(listBrokenLinks(page)).toEqual([])
})

test.each(documents)('%s', async document => {
  const { shell, programs, problems } = toScript(document, ports)
  expect(problems).toEqual([])
  const folder = makeCheckout(document)
  for (const [name, code] of programs) writeFileSync(join(folder, name), code)
  if (document === firstDocument) serverFolder = folder
  const transcript = await runScript(folder, shell, document === firstDocument)
  for (const pattern of expectedOutput[document] ?? []) expect(transcript).toMatch(pattern)
})

/** Makes a folder like a fresh checkout; the document creates its files there. */
function makeCheckout(document: string): string {
  const folder = join(workDir, document.replaceAll('/', '-'))
  mkdirSync(folder)
  for (const name of readdirSync(repository))
    if (name !== 'data' && name !== '.git') symlinkSync(join(repository, name), join(folder, name))
  return folder
}

/**
 * Runs the lines in bash until one fails, and returns the output. Background processes are ended too, except the first
 * document's server.
 */
async function runScript(folder: string, lines: string, isFirst: boolean): Promise<string> {
  const variables = join(workDir, 'variables.sh')
  const script = join(folder, 'document.sh')
  const before = `set -eEuo pipefail; trap 'echo "FAILED: $BASH_COMMAND" >&2' ERR\n`
  writeFileSync(
    script,
    isFirst
      ? `${before}trap 'export -p > "${variables}"; jobs -p > "${join(workDir, 'server.pid')}"' EXIT\n${lines}\n`
      : `source '${variables}'; cd '${folder}'; export DATA_DIR='${join(serverFolder!, 'data')}'\n${quickNpx}${before}${lines}\n`,
  )
  const outputFile = join(folder, 'output.txt')
  const output = openSync(outputFile, 'w')
  const child = spawn('bash', [script], {
    cwd: folder,
    // A process group, which ends as a whole.
    detached: true,
    stdio: ['ignore', output, output],
    env: {
      PATH: process.env.PATH,
      HOME: workDir,
      PORT: String(ports[3000]),
      LOG_LEVEL: 'warn',
    },
  })
  const code = await new Promise<number>(resolve => child.once('exit', status => resolve(status ?? -1)))
  if (!isFirst) endGroup(child.pid!)
  const transcript = readFileSync(outputFile, 'utf8')
  if (code !== 0) throw new Error(`It stopped with code ${code}:\n${toTail(transcript)}`)
  return transcript
}

/** Returns the last five lines, each cut to its last 500 characters. */
const toTail = (output: string) =>
  output
    .trimEnd()
    .split('\n')
    .slice(-5)
    .map(line => (line.length > 500 ? `… ${line.slice(-500)}` : line))
    .join('\n')

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGTERM')
  } catch {
    // The group has already ended.
  }
}

/** Finds a free port below 32768, so that no server of another test gets it. */
function findFreePort(): Promise<number> {
  const port = 20_000 + Math.floor(Math.random() * 12_000)
  return new Promise((resolve, reject) => {
    const server = createServer()
      .on('error', () => findFreePort().then(resolve, reject))
      .listen(port, '127.0.0.1', () => {
        server.close(() => resolve(port))
      })
  })
}
