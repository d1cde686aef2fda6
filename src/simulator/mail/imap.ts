/** The IMAP server of one simulated mailbox. */
import type { Socket } from 'node:net'
import createServer from 'hoodiecrow-imap'

export interface ImapMailbox {
  port: number
  /** Appends to the inbox, or to the folder of sent messages. */
  append(raw: Uint8Array, options: { folder: 'INBOX' | 'Sent'; at: Date }): void
  /** The raw messages of the inbox. */
  list(): { uid: number; raw: Buffer; flags: string[] }[]
  /** Ends the connections of all clients, as a restart of the server does. */
  disconnectClients(): void
  close(): Promise<void>
}

export interface ImapOptions {
  user: string
  password: string
  port: number
  secure: boolean
  uidValidity: number
}

export async function startImapMailbox(options: ImapOptions): Promise<ImapMailbox> {
  const { user, password, port, secure, uidValidity } = options
  const imap = createServer({
    plugins: [
      'ID',
      'IDLE',
      'SASL-IR',
      'AUTH-PLAIN',
      'NAMESPACE',
      'SPECIAL-USE',
      'UNSELECT',
      ...(secure ? [] : ['STARTTLS']),
    ],
    users: { [user]: { password } },
    storage: {
      INBOX: { messages: [], uidvalidity: uidValidity },
      '': { separator: '/', folders: { Sent: { 'special-use': '\\Sent', messages: [] } } },
    },
    secureConnection: secure,
  })
  const sockets = new Set<Socket>()
  imap.server.on('connection', socket => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>(resolve => imap.listen(port, '127.0.0.1', resolve))
  const disconnectClients = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port: (imap.server.address() as { port: number }).port,
    append: (raw, { folder, at }) =>
      imap.appendMessage(
        folder,
        [],
        at,
        Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength).toString('latin1'),
      ),
    list: () =>
      imap
        .getMailbox('INBOX')
        .messages.map(({ uid, raw, flags }) => ({ uid, raw: Buffer.from(raw, 'latin1'), flags })),
    disconnectClients,
    async close() {
      const closed = new Promise<void>(resolve => imap.close(resolve))
      disconnectClients()
      await closed
    },
  }
}
