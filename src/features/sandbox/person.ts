/** People of the test environment who write to an account. */
import { toE164 } from '../../domain/contact/phone.ts'
import type { Tx } from '../../kit/db/index.ts'
import { invalidInput, Problem } from '../../kit/problem.ts'
import type { ChatIdentity, ChatProvider, IdentityKind } from '../../plugins/chat.ts'
import { type AccountRow, type ChatAccounts, findAccounts } from '../accounts/service.ts'
import { getWorkspaceLocale } from '../leads/service.ts'
import { toValidIdentities } from '../messaging/service.ts'

/** Returns the account that a person writes to. Throws 400 for an unknown one; 409 INVALID_TRANSITION. */
export async function getReceiver(
  tx: Tx,
  accounts: Pick<ChatAccounts, 'getProvider'>,
  accountId: string,
): Promise<{ account: AccountRow; provider: ChatProvider }> {
  const [account] = await findAccounts(tx, [accountId])
  const provider = account && accounts.getProvider(account.provider, 'test')
  if (!account || !provider)
    throw invalidInput('/accountId', 'UNKNOWN_ACCOUNT', 'There is no account with this id.')
  if (account.status === 'DISCONNECTED')
    throw new Problem(
      'INVALID_TRANSITION',
      'The account is disconnected and receives nothing. Connect it again.',
    )
  if (!provider.webhook)
    throw new Problem(
      'INVALID_TRANSITION',
      'Accounts without an API receive nothing: people answer in their own program.',
    )
  return { account, provider }
}

/** The notations of the kinds; an identity of another kind is any text besides these. A short number is an id. */
const notations: Partial<Record<IdentityKind, RegExp>> = {
  phone: /^\s*[(+]|^[\d\s()./-]{7,}$/,
  email: /@/,
}
const otherNotation = /^(?!\s*\+)[^@]*$/

/** The name that the provider has for the person. A phone is read as dialled in the workspace's country. Throws 400. */
export async function readPerson(
  tx: Tx,
  from: string,
  { label, capabilities }: ChatProvider,
): Promise<ChatIdentity> {
  const kind = capabilities.identities.find(kind => (notations[kind] ?? otherNotation).test(from))
  const value = kind === 'phone' ? await readPhone(tx, from) : from
  const [person] = kind ? toValidIdentities([{ kind, value }]) : []
  if (person) return person
  throw invalidInput(
    '/from',
    'WRONG_FORMAT',
    kind === 'phone'
      ? 'There is no such phone number. Write it with its prefix, such as +34600000001.'
      : `${label} does not name people like this. Send one of these: ${capabilities.identities.join(', ')}.`,
  )
}

/** The number in E.164, or the text as it is if it is none in the workspace's country. */
export async function readPhone(tx: Tx, text: string): Promise<string> {
  if (!notations.phone!.test(text)) return text
  const { country } = await getWorkspaceLocale(tx)
  return toE164(text, country) ?? text
}
