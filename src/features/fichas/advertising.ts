/** Checks that a sheet states what laws on advertising require, and refuses to share it if the workspace wants that. */
import { getNow } from '../../kit/clock/clock.ts'
import type { Tx } from '../../kit/db/index.ts'
import { Problem } from '../../kit/problem.ts'
import { readSetting } from '../../kit/settings/setting-store.ts'
import { readBrandingFacts } from '../identity/settings.ts'
import type { FichaContent } from './content.ts'
import { advertisingIncomplete } from './problems.ts'
import { advertisingGate } from './settings.ts'
import { listMissingStatements } from './warnings.ts'

/**
 * Throws 409 ADVERTISING_INCOMPLETE if the gate is `block` and a required statement is missing. `previous`: what is
 * missing there is no reason to refuse.
 */
export async function assertAdvertisable(
  tx: Tx,
  content: FichaContent,
  previous?: FichaContent,
): Promise<void> {
  if ((await readSetting(tx, advertisingGate)) === 'warn') return
  const { timezone } = await readBrandingFacts(tx)
  const today = toDay(getNow(tx), timezone)
  const known = new Set(previous ? listMissingStatements(previous, today).map(({ code }) => code) : [])
  const missing = listMissingStatements(content, today).filter(
    ({ code, severity }) => severity === 'required' && !known.has(code),
  )
  if (missing.length === 0) return
  const names = missing.map(({ field }) => field).join(', ')
  throw new Problem(advertisingIncomplete, `The law requires statements that the sheet lacks: ${names}.`, {
    errors: missing.map(({ code, field, message, law }) => ({
      path: `/${field.replace('.', '/')}`,
      code,
      message: `${message} (${[law.title, law.article].filter(part => part).join(', ')})`,
    })),
  })
}

/** `timezone`: an IANA name. */
export function toDay(now: Date, timezone: string): Temporal.PlainDate {
  return now.toTemporalInstant().toZonedDateTimeISO(timezone).toPlainDate()
}
