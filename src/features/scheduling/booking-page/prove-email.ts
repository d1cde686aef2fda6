/** The step of a booking in which a visitor proves their e-mail address. */
import { toIdentifier } from '../../../domain/contact/identifiers.ts'
import type { Database, Tx } from '../../../kit/db/index.ts'
import type { PublicPage } from '../../../kit/public-route.ts'
import type { LinkDependencies } from '../appointments/links.ts'
import { findEmailAccount } from '../event-types/email-account.ts'
import { countPageUse } from './booking-counts.ts'
import { type CodeView, resendName, toCodePage } from './booking-html.ts'
import { checkCode, createCode, deleteExpiredCodes } from './codes.ts'
import type { OpenPage } from './context.ts'
import { codeName } from './form-html.ts'
import { toSlot } from './month.ts'
import { queueCode } from './send-code.ts'

interface CodeForm {
  tenantId: string
  /** The client address. */
  address: string
  form: URLSearchParams
  startMs: number
}

/** The page on which the code is typed; null: the address is proven. */
export async function proveEmail(
  database: Database,
  { eventType, context }: OpenPage,
  { tenantId, address, form, startMs }: CodeForm,
  { cipher }: LinkDependencies,
): Promise<PublicPage | null> {
  const { words } = context.visit
  const email = toIdentifier('email', form.get('email') ?? '', context.country)!.value
  const proof = { eventTypeId: eventType.id, email }
  const show = ({ problems, testCode = null }: Partial<CodeView> & Pick<CodeView, 'problems'>) =>
    toCodePage(context, {
      slot: toSlot(eventType, startMs),
      values: [...form].filter(([name]) => name !== codeName && name !== resendName),
      email,
      problems,
      testCode,
    })
  const code = (form.get(codeName) ?? '').replace(/\s/g, '')
  if (code !== '' && !form.has(resendName)) {
    const result = await database.withTenant({ tenantId }, tx => checkCode(tx, cipher, proof, code))
    if (result === 'right') return null
    return show({ problems: [result === 'wrong' ? words.errors.codeWrong : words.errors.codeExpired] })
  }
  const use = { tenantId, eventTypeId: eventType.id, address, kind: 'code' } as const
  if (!(await countPageUse(database, cipher, use))) return show({ problems: [words.errors.tooOften] })
  return database.withTenant({ tenantId }, sendCode)

  async function sendCode(tx: Tx): Promise<PublicPage> {
    const accountId = await findEmailAccount(tx, eventType)
    if (accountId === null) return show({ problems: [words.errors.codeUnsendable] })
    await deleteExpiredCodes(tx)
    const created = await createCode(tx, cipher, proof)
    if (created === null) return show({ problems: form.has(resendName) ? [words.errors.codeWait] : [] })
    const { name } = context.agency
    const mail = { email, subject: words.code.subject(name), text: words.code.text(created, name) }
    const isSent = await queueCode(tx, cipher, accountId, mail)
    return show({ problems: [], testCode: isSent ? null : created })
  }
}
