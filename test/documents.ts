/** The documents' code blocks, as scripts that run them from top to bottom. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'

const repository = new URL('../', import.meta.url)

/** Starts the server that all others work beside. */
export const firstDocument = 'docs/quickstart.md'

/** Documents whose code blocks run, the first one first. Decisions record what was measured; generated pages have no commands. */
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
  /** What runs in its place, if anything does. */
  replacement?: string
}

/** Every line that the test does not run unchanged. */
const exceptions: Exception[] = [
  {
    document: 'README.md',
    line: 'npm ci && npm run demo',
    reason: 'sdk/demo.test.ts runs the demo; npm ci would replace the packages under this very run',
  },
  { document: 'README.md', line: 'npm ci && npm test', reason: 'this is it' },
  {
    document: firstDocument,
    line: 'npm ci',
    reason: 'npm ci would replace the packages under this very run',
  },
  {
    document: 'docs/guides/add-a-portal.md',
    line: 'PORTALS_DIR=/srv/portals npx vitest run test/plugins.test.ts',
    reason: 'test/plugins.test.ts runs with docs/examples/portals in this very run',
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
]

/** Servers of the documents listen elsewhere while they are tested. */
export type Ports = Record<'3000' | '4800' | '4900' | '8080', number>

export interface Script {
  shell: string
  /** Programs by name: a `ts` block is the file that its first line names, for a line of the shell to run. */
  programs: Map<string, string>
  /** Programs that no line runs, and blocks that have no name. */
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

/** Exceptions that are no longer in their document. */
export function staleExceptions(): Exception[] {
  return exceptions.filter(({ document, line }) => {
    const text = readFileSync(new URL(document, repository), 'utf8')
    return ![...listCodeBlocks(text)].some(({ code }) =>
      code.split('\n').some(each => withoutComment(each) === line),
    )
  })
}

/** All pages, with those whose code blocks do not run. */
export const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'sdk/README.md',
  ...readdirSync(new URL('docs', repository), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.md'))
    .map(name => `docs/${name}`),
]

/** Relative links of a page that lead to no file, or to no heading of a page. */
export function findBrokenLinks(page: string): string[] {
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

/** Anchors of the headings of a page, as GitHub makes them. */
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

/** Fenced blocks, those of lists without their indentation. */
function* listCodeBlocks(markdown: string): Generator<{ language: string; code: string }> {
  for (const [, indentation, language, body] of markdown.matchAll(/^( *)```(\w+)\n([\s\S]*?)^ *```$/gm))
    yield {
      language: language!,
      code: body!.replaceAll(new RegExp(`^${indentation}`, 'gm'), '').trimEnd(),
    }
}
