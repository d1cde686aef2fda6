/** What a campaign lacks before it can send messages: an account, steps, templates, and a lawful basis for the channel. */
import { getCoveredChannels } from '../../../domain/contactability/contactability.ts'
import type { Channel } from '../../../domain/contactability/facts.ts'
import type { Tx } from '../../../kit/db/index.ts'
import type { InputError } from '../../../kit/problem.ts'
import type { ChatProvider } from '../../../plugins/chat.ts'
import { type AccountRow, getEnvironment, sendingStatuses } from '../../accounts/service.ts'
import { findTemplates, findUnusable } from '../../templates/service.ts'
import { findCampaignAccount, findChatAccounts, type Providers } from './account.ts'
import { listTemplates } from './references.ts'
import type { CampaignRow } from './row.ts'

/** `path`: a JSON pointer into the campaign. */
type Missing = InputError

export async function findMissingOfContact(
  tx: Tx,
  row: CampaignRow,
  providers: Providers,
): Promise<Missing[]> {
  const { contactMode, settings } = row
  const account = contactMode === null ? undefined : await findCampaignAccount(tx, providers, row)
  const missing: Missing[] = []
  if (contactMode === null)
    missing.push({
      code: 'CONTACT_MODE_MISSING',
      path: '/contactMode',
      message: 'Choose how messages are sent: chat or chat-no-api.',
    })
  else missing.push(...(await explainAccount(tx, row, { account, providers })))
  if (settings.steps.length === 0)
    missing.push({ code: 'STEPS_MISSING', path: '/settings/steps', message: 'Add at least one step.' })
  const provider = account && providers.getProvider(account.provider, await getEnvironment(tx))
  return [
    ...missing,
    ...(await findUnusableTemplates(tx, row, { account, provider })),
    ...(provider ? explainBasis(row, provider.channel) : []),
  ]
}

/** The basis of the campaign allows no message: only leads with one of their own would get any. */
function explainBasis({ settings: { lawfulBasis } }: CampaignRow, channel: Channel): Missing[] {
  if (lawfulBasis === null || getCoveredChannels(lawfulBasis).includes(channel)) return []
  const cause =
    lawfulBasis.channels === null ? ': legitimate interest without channels only covers calls' : ''
  return [
    {
      code: 'CHANNEL_NOT_COVERED',
      path: '/settings/lawfulBasis/channels',
      message: `Add \`${channel}\` to the channels of the lawful basis if it holds for them, or attest another one${cause}.`,
    },
  ]
}

function explainNotConnected({ displayName, status }: AccountRow): string {
  if (status === 'DISCONNECTED') return `Choose another account: somebody has disconnected "${displayName}".`
  if (status === 'RESTRICTED')
    return `Wait until the account "${displayName}" may send again, which is ${status}, or choose another one.`
  return `Connect the account "${displayName}" again, which is ${status}, or choose another one.`
}

async function explainAccount(
  tx: Tx,
  { accountId, contactMode }: CampaignRow,
  { account, providers }: { account: AccountRow | undefined; providers: Providers },
): Promise<Missing[]> {
  const path = '/accountId'
  if (account) {
    if (sendingStatuses.includes(account.status)) return []
    return [{ code: 'ACCOUNT_NOT_CONNECTED', path, message: explainNotConnected(account) }]
  }
  const several = accountId === null && (await findChatAccounts(tx, providers, contactMode!)).length > 1
  return several
    ? [
        {
          code: 'SEVERAL_ACCOUNTS',
          path,
          message: `Choose one of the connected accounts of the mode ${contactMode}.`,
        },
      ]
    : [
        {
          code: 'NO_ACCOUNT',
          path,
          message: `Connect an account of the mode ${contactMode} with POST /accounts.`,
        },
      ]
}

/** Without an account, only what is true for every account is found. */
async function findUnusableTemplates(
  tx: Tx,
  { settings }: CampaignRow,
  { account, provider }: { account: AccountRow | undefined; provider: ChatProvider | undefined },
): Promise<Missing[]> {
  const named = listTemplates(settings.steps)
  if (named.length === 0) return []
  const templates = await findTemplates(tx, [...new Set(named.map(({ id }) => id))])
  const byId = new Map(templates.map(template => [template.id, template]))
  return named.flatMap(({ id, path }) => {
    const template = byId.get(id)
    if (!template)
      return [
        { code: 'UNKNOWN_TEMPLATE', path, message: 'Choose another template: there is none with this id.' },
      ]
    const reason = findUnusable(template, {
      accountId: account?.id ?? null,
      needsApproval: provider?.capabilities.templates === 'required',
    })
    return reason ? [{ ...reason, path }] : []
  })
}
