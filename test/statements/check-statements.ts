/** Holds every statement that a test file sends inside a tenant to the rules. Each text is read once. */
import { relative } from 'node:path'
import { type Node, parseSync } from 'libpg-query'
import { tenantStatements } from '../../src/kit/db/statement-channel.ts'
import { findCitusViolations } from './citus-rule.ts'
import type { StatementSchema } from './schema.ts'
import { findTenantViolations, type Violation } from './tenant-rule.ts'

/** Everything that the rules have against a text. */
export function findViolations(text: string, schema: StatementSchema): Violation[] {
  return parse(text).flatMap(stmt => [
    ...findTenantViolations(stmt, schema.columns),
    ...findCitusViolations(stmt, schema),
  ])
}

function parse(text: string): Node[] {
  return (parseSync(text).stmts ?? []).flatMap(({ stmt }) => stmt ?? [])
}

/** So many texts are no shapes of statements any more: values stand in them. */
const textsMax = 5000

const violationsByText = new Map<string, Violation[]>()
const reported = new Map<string, string>()

/** Call once for each process, with the parser loaded. Statements of the tests' own are passed over. */
export function checkStatements(schema: StatementSchema): void {
  tenantStatements.subscribe(message => {
    const { text } = message as { text: string }
    const violations = violationsByText.get(text) ?? read(text, schema)
    if (violations.length === 0 || reported.has(text)) return
    const callers = readCallers()
    if (isFromTests(callers[0])) return
    const sentences = violations.map(fault => fault.message).join('; ')
    reported.set(text, `${sentences}, in the statement\n${text.trim()}\nsent from ${callers.join(', ')}`)
  })
}

function read(text: string, schema: StatementSchema): Violation[] {
  let violations: Violation[]
  try {
    violations = findViolations(text, schema)
  } catch (error) {
    violations = [{ table: '', message: `the parser refuses it (${(error as Error).message})` }]
  }
  violationsByText.set(text, violations)
  if (violationsByText.size === textsMax)
    reported.set(text, `${textsMax} different texts were sent, such as\n${text}`)
  return violations
}

/** Throws if a statement broke a rule since the last call. */
export function assertNoViolations(): void {
  const messages = [...reported.values()]
  reported.clear()
  if (messages.length > 0) throw new Error(messages.join('\n\n'))
}

/** Where in our files the statement was sent from, as far as Node knows: the innermost first. */
function readCallers(): string[] {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 50
  const { stack = '' } = new Error()
  Error.stackTraceLimit = stackTraceLimit
  return [...stack.matchAll(/(?:file:\/\/)?(\/[^\s()?]+\.ts)[^\s():]*:(\d+):\d+/g)]
    .map(([, file, line]) => `${relative('.', file!)}:${line}`)
    .filter(
      place =>
        !/^\.\.|node_modules|^src\/kit\/db\/[^.]+\.ts|^test\/statements\/check-statements\.ts/.test(place),
    )
}

/** What a test looks up or prepares by itself is no statement of the program. */
const isFromTests = (place = ''): boolean => /^test\/|\.test\.ts:/.test(place)
