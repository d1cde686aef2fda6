/** Which account sends a notice. */
import type { Tx } from '../../../kit/db/index.ts'
import type { ChatProvider } from '../../../plugins/chat.ts'
import { type AccountRow, type ChatAccounts, findAccounts, findConnected } from '../../accounts/service.ts'
import type { NoticeChannel, NoticeConfig } from './plan-notices.ts'
import {
  lostAccount,
  noChatAccount,
  noEmailAccount,
  type Refusal,
  whichChatAccount,
  whichEmailAccount,
} from './reasons.ts'

export interface NoticeAccount {
  account: AccountRow
  provider: ChatProvider
}

/** The chosen account, else the only connected one of this kind. */
export async function chooseAccount(
  tx: Tx,
  accounts: Pick<ChatAccounts, 'list'>,
  { channel, notices }: { channel: NoticeChannel; notices: NoticeConfig['notices'] },
): Promise<NoticeAccount | Refusal> {
  const providers = accounts.list().filter(provider => canSend(provider, channel))
  const isEmail = channel === 'email'
  const chosenId = isEmail ? notices.emailAccountId : notices.chatAccountId
  const [account, other] = chosenId
    ? await findAccounts(tx, [chosenId])
    : await findConnected(
        tx,
        providers.filter(({ mode }) => mode === 'chat').map(({ id }) => id),
        2,
      )
  if (chosenId === null && !account) return isEmail ? noEmailAccount : noChatAccount
  if (other) return isEmail ? whichEmailAccount : whichChatAccount
  const provider = account && providers.find(({ id }) => id === account.provider)
  return provider ? { account, provider } : lostAccount
}

const canSend = ({ channel, capabilities }: ChatProvider, wanted: NoticeChannel) =>
  wanted === 'email' ? channel === 'email' && capabilities.invitations === true : channel === 'chat'
