/** Holds every statement that a test file sends inside a tenant to the rules. Each text is read once. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { type Node, parseSync } from 'libpg-query'
import { tenantStatements } from '../../src/kit/db/statement-channel.ts'
import { type CitusRules, findCitusFaults } from './citus-rule.ts'
import { type Fault, findTenantFaults } from './tenant-rule.ts'

/** Everything that the rules have against a text. */
export function findFaults(text: string, rules: CitusRules): Fault[] {
  const statements = (parseSync(text).stmts ?? []).flatMap(({ stmt }): Node[] => (stmt ? [stmt] : []))
  return statements.flatMap(stmt => [
    ...findTenantFaults(stmt, rules.columns),
    ...findCitusFaults(stmt, rules),
  ])
}

/** So many texts are no shapes of statements any more: values stand in them. */
const textsMax = 5000

const rowSecurity = new AsyncLocalStorage<true>()

/** What `work` sends is not held to the rules: it tries what row security does with statements that break them. */
export const tryRowSecurity = <T>(work: () => T): T => rowSecurity.run(true, work)

const faultsOf = new Map<string, Fault[]>()
const refused = new Map<string, string>()

/** Call once for each process, with the parser loaded. Tables on the list `exempt` are passed over. */
export function watchStatements(rules: CitusRules, exempt: ReadonlySet<string>): void {
  tenantStatements.subscribe(message => {
    if (rowSecurity.getStore()) return
    const { text } = message as { text: string }
    const faults = faultsOf.get(text) ?? read(text, rules, exempt)
    if (faults.length === 0 || refused.has(text)) return
    const sentences = faults.map(fault => fault.message).join('; ')
    refused.set(text, `${sentences}, in the statement\n${text.trim()}\nsent from\n${callers()}`)
  })
}

function read(text: string, rules: CitusRules, exempt: ReadonlySet<string>): Fault[] {
  const faults = findFaults(text, rules).filter(({ table }) => !exempt.has(table))
  faultsOf.set(text, faults)
  if (faultsOf.size === textsMax) refused.set(text, `${textsMax} different texts were sent, such as\n${text}`)
  return faults
}

/** Throws if a statement broke a rule since the last call. */
export function refuseFaults(): void {
  const messages = [...refused.values()]
  refused.clear()
  if (messages.length > 0) throw new Error(messages.join('\n\n'))
}

/** The files of ours that have sent the statement, as far as Node knows. */
function callers(): string {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 40
  const { stack = '' } = new Error()
  Error.stackTraceLimit = stackTraceLimit
  return stack
    .split('\n')
    .filter(
      line =>
        /\/(src|test|sdk)\//.test(line) && !/\/(node_modules|kit\/db)\/|statements\/watch\.ts/.test(line),
    )
    .join('\n')
}
