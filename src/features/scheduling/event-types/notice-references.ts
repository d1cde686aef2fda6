/** Checks the accounts and templates that a configuration names. */
import type { Tx } from '../../../kit/db/index.ts'
import type { InputError } from '../../../kit/problem.ts'
import { type AccountRow, findAccounts } from '../../accounts/service.ts'
import { findTemplate, listUnfilledByAppointments } from '../../templates/service.ts'
import type { ConfigInput } from './config-schemas.ts'

export const findNoticeErrors = async (
  tx: Tx,
  { notices = {}, reminders = [] }: ConfigInput,
): Promise<InputError[]> => [
  ...(await findAccountErrors(tx, notices)),
  ...(await findTemplateErrors(tx, reminders)),
]

async function findAccountErrors(
  tx: Tx,
  { emailAccountId, chatAccountId }: NonNullable<ConfigInput['notices']>,
): Promise<InputError[]> {
  const named = [emailAccountId, chatAccountId].filter(id => typeof id === 'string')
  const accounts = await findAccounts(tx, named)
  return [
    ...validateAccount(emailAccountId, accounts, { isEmail: true, path: '/config/notices/emailAccountId' }),
    ...validateAccount(chatAccountId, accounts, { isEmail: false, path: '/config/notices/chatAccountId' }),
  ]
}

function validateAccount(
  id: string | null | undefined,
  accounts: AccountRow[],
  { isEmail, path }: { isEmail: boolean; path: string },
): InputError[] {
  if (!id) return []
  const account = accounts.find(({ id: known }) => known === id.toLowerCase())
  if (!account) return [{ path, code: 'UNKNOWN_ACCOUNT', message: 'There is no account with this id.' }]
  if ((account.provider === 'email') === isEmail) return []
  return [{ path, code: 'WRONG_ACCOUNT', message: `must be ${isEmail ? 'an e-mail' : 'a chat'} account` }]
}

async function findTemplateErrors(
  tx: Tx,
  reminders: NonNullable<ConfigInput['reminders']>,
): Promise<InputError[]> {
  const errors: InputError[] = []
  for (const [index, { templateId }] of reminders.entries()) {
    if (!templateId) continue
    const path = `/config/reminders/${index}/templateId`
    const template = await findTemplate(tx, templateId)
    const unfilled = template ? listUnfilledByAppointments(template) : []
    if (!template)
      errors.push({ path, code: 'UNKNOWN_TEMPLATE', message: 'There is no template with this id.' })
    else if (unfilled.length > 0)
      errors.push({
        path,
        code: 'NEEDS_VALUES',
        message: `Give these variables of the template a fallback, because a reminder has no values for them: ${unfilled.join(', ')}.`,
      })
  }
  return errors
}
