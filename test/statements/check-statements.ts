/** Checks every statement that is sent inside a tenant against the rules. Each text is parsed once. */
import { relative } from 'node:path'
import { type Node, parseSync } from 'libpg-query'
import { tenantStatements } from '../../src/kit/db/statement-channel.ts'
import { findCitusViolations } from './citus-rule.ts'
import type { StatementSchema } from './schema.ts'
import { findTenantViolations, type Violation } from './tenant-rule.ts'

/** Returns all violations of a statement. */
export function findViolations(text: string, schema: StatementSchema): Violation[] {
  return parse(text).flatMap(stmt => [
    ...findTenantViolations(stmt, schema.columns),
    ...findCitusViolations(stmt, schema),
  ])
}

function parse(text: string): Node[] {
  return (parseSync(text).stmts ?? []).flatMap(({ stmt }) => stmt ?? [])
}

/** More different texts than this indicate that statements contain values instead of parameters. */
const textsMax = 5000

const violationsByText = new Map<string, Violation[]>()
const reported = new Map<string, string>()

/** Subscribes the check; call it once per process, after loading the parser. Statements of tests are ignored. */
export function checkStatements(schema: StatementSchema): void {
  tenantStatements.subscribe(message => {
    const { text } = message as { text: string }
    const violations = violationsByText.get(text) ?? checkText(text, schema)
    if (violations.length === 0 || reported.has(text)) return
    const callers = readCallers()
    if (isFromTests(callers[0])) return
    const sentences = violations.map(fault => fault.message).join('; ')
    reported.set(text, `${sentences}, in the statement\n${text.trim()}\nsent from ${callers.join(', ')}`)
  })
}

function checkText(text: string, schema: StatementSchema): Violation[] {
  let violations: Violation[]
  try {
    violations = findViolations(text, schema)
  } catch (error) {
    violations = [{ table: '', message: `the parser rejects it (${(error as Error).message})` }]
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

/** The callers of the statement in the repository, the innermost first. */
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

/** True for statements that a test or a benchmark sends itself. */
const isFromTests = (place = ''): boolean => /^test\/|^bench\/|\.test\.ts:/.test(place)
