/** Extracts the code blocks of the documents as scripts, and finds broken links. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'

const repository = new URL('../', import.meta.url)

/** The document that starts the server for all others. */
export const firstDocument = 'docs/quickstart.md'

/** Documents whose code blocks run, in order. Decisions are left out: their commands record measurements. */
export const documents = [
  firstDocument,
  'README.md',
  ...readdirSync(new URL('docs', repository), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.md') && !name.startsWith('decisions'))
    .map(name => `docs/${name}`)
    .filter(document => document !== firstDocument)
    .sort(),
]

interface Exception {
  document: string
  /** The whole line, without its comment. */
  line: string
  reason: string
  /** The replacement, if any. */
  replacement?: string
}

/** Exceptions: lines that the test skips or changes. */
const exceptions: Exception[] = [
  {
    document: 'README.md',
    line: 'npm ci && npm run demo',
    reason: 'sdk/demo.test.ts runs the demo; npm ci would replace the packages of this run',
  },
  { document: 'README.md', line: 'npm ci && npm test', reason: 'this run is that command' },
  {
    document: firstDocument,
    line: 'npm ci',
    reason: 'npm ci would replace the packages of this run',
  },
  {
    document: 'docs/guides/add-a-portal.md',
    line: 'npx aldaba portals draft https://www.my-portal.example/venta/vigo --out /srv/portals/my-portal.mjs',
    reason: 'src/plugins/general-portal.test.ts runs it with a portal of its own',
  },
  {
    document: 'docs/guides/add-a-portal.md',
    line: 'PORTALS_DIR=/srv/portals npx vitest run test/plugins.test.ts',
    reason: 'test/plugins.test.ts runs with docs/examples/portals in this run',
  },
  {
    document: 'docs/guides/go-to-production.md',
    line: 'pg_dump -U postgres -Fc aldaba -f aldaba.dump',
    reason: 'needs a PostgreSQL of your own',
  },
  {
    document: 'docs/guides/go-to-production.md',
    line: 'createdb -U postgres -O aldaba aldaba && pg_restore -U postgres -d aldaba aldaba.dump',
    reason: 'needs a PostgreSQL of your own',
  },
  {
    document: 'docs/guides/connect-chat-accounts.md',
    line: 'LIVE_KEY=$(npx aldaba keys create --workspace demo --environment live --name chat) && export LIVE_KEY',
    reason: 'with a live key, the next lines would send made-up credentials to Telegram',
    replacement: 'LIVE_KEY=$KEY',
  },
  {
    document: 'docs/guides/connect-whatsapp.md',
    line: 'LIVE_KEY=$(npx aldaba keys create --workspace demo --environment live --name whatsapp) && export LIVE_KEY',
    reason: 'with a live key, the next lines would send made-up credentials to WhatsApp',
    replacement: 'LIVE_KEY=$KEY',
  },
  {
    document: 'docs/guides/connect-a-mailbox.md',
    line: 'LIVE_KEY=$(npx aldaba keys create --workspace demo --environment live --name mailbox) && export LIVE_KEY',
    reason: 'with a live key, the next lines would send made-up credentials to mail servers',
    replacement: 'LIVE_KEY=$KEY',
  },
  {
    document: 'docs/guides/people-who-write.md',
    line: 'curl -s -X POST "$U/messages/$ASKED/opt-in" -H "$H"',
    reason: 'is refused, as its comment says',
    replacement: '{ curl -s -X POST "$U/messages/$ASKED/opt-in" -H "$H" || true; } | grep INSUFFICIENT_SCOPE',
  },
]

/** The replacement of each port in the documents. */
export type Ports = Record<'3000' | '4800' | '4900' | '8080', number>

export interface Script {
  shell: string
  /** The `ts` blocks by file name, which is in their first line. A shell line runs each. */
  programs: Map<string, string>
  /** Lists programs that no line runs, and blocks without a name. */
  problems: string[]
}

export function toScript(document: string, ports: Ports): Script {
  const text = readFileSync(new URL(document, repository), 'utf8')
  const lines: string[] = []
  const programs = new Map<string, string>()
  const problems: string[] = []
  for (const { language, code } of listCodeBlocks(text)) {
    const adapted = code.replace(
      /((?:localhost|127\.0\.0\.1):|--port |listen\()(3000|4800|4900|8080)\b/g,
      (_, before, port: keyof Ports) => `${before}${ports[port]}`,
    )
    if (language === 'sh') lines.push(...adapted.split('\n').map(line => substitute(document, line)))
    if (language !== 'ts') continue
    const name = /^\/\/ ([\w-]+\.ts)\n/.exec(code)?.[1]
    if (name) programs.set(name, adapted)
    else problems.push(`a block without the name of its file: ${code.slice(0, 80)}`)
  }
  const shell = lines.join('\n')
  for (const name of programs.keys())
    if (!shell.includes(`node ${name}`)) problems.push(`no line of the shell runs ${name}`)
  return { shell, programs, problems }
}

/** Lists exceptions that are not in their document. */
export function listStaleExceptions(): Exception[] {
  return exceptions.filter(({ document, line }) => {
    const text = readFileSync(new URL(document, repository), 'utf8')
    return ![...listCodeBlocks(text)].some(({ code }) =>
      code.split('\n').some(each => withoutComment(each) === line),
    )
  })
}

/** All pages, also those whose code blocks do not run. */
export const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'sdk/README.md',
  ...readdirSync(new URL('docs', repository), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.md'))
    .map(name => `docs/${name}`),
]

/** Lists relative links of a page to a missing file or heading. */
export function listBrokenLinks(page: string): string[] {
  const text = readFileSync(new URL(page, repository), 'utf8').replaceAll(/^ *```[\s\S]*?^ *```$/gm, '')
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target]) => target!)
    .filter(target => !/^[a-z]+:/.test(target) && !isReachable(page, target))
}

function isReachable(page: string, target: string): boolean {
  const [path, heading] = target.split('#')
  const file = new URL(path || page.split('/').at(-1)!, new URL(page, repository))
  if (!existsSync(file)) return false
  return heading === undefined || listAnchors(readFileSync(file, 'utf8')).includes(heading)
}

/** The anchors of a page's headings, in GitHub's form. */
const listAnchors = (markdown: string) =>
  [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
    title!
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )

function substitute(document: string, line: string): string {
  const found = exceptions.find(each => each.document === document && each.line === withoutComment(line))
  return found ? (found.replacement ?? '') : line
}

const withoutComment = (line: string) => line.replace(/\s+# .*$/, '').trim()

/** Yields fenced code blocks, without the indentation that they have in lists. */
function* listCodeBlocks(markdown: string): Generator<{ language: string; code: string }> {
  for (const [, indentation, language, body] of markdown.matchAll(/^( *)```(\w+)\n([\s\S]*?)^ *```$/gm))
    yield {
      language: language!,
      code: body!.replaceAll(new RegExp(`^${indentation}`, 'gm'), '').trimEnd(),
    }
}
