/**
 * Notifies graphile-worker of new jobs. The library wants a pool client of its own to listen on; it gets one that
 * shares the process's direct connection instead.
 */
import { EventEmitter } from 'node:events'
import type { DirectConnection } from '../db/direct-connection.ts'

type OnConnect = (error: Error | undefined, client: object | undefined, release: () => void) => void

/** The channels that the library listens on. */
const channels = ['jobs:insert', 'worker:migrate']

/**
 * Calls back as `pool.connect` does. The client emits an error when the connection is lost; the library then connects
 * again.
 */
export async function connectListener(direct: DirectConnection, onConnect: OnConnect): Promise<void> {
  const session = await direct.getSession().catch((error: Error) => error)
  if (session instanceof Error) return onConnect(session, undefined, () => {})
  const client = new EventEmitter()
  const onLost = () => client.emit('error', new Error('the direct connection broke'))
  const unlisten = channels.map(channel =>
    session.onNotification(channel, message => client.emit('notification', message)),
  )
  session.lost.addEventListener('abort', onLost)
  const query = async (text: string) => {
    // Other listeners of this process may still need the same channel.
    if (!text.startsWith('UNLISTEN')) await session.query(text)
  }
  onConnect(undefined, Object.assign(client, { query }), () => {
    session.lost.removeEventListener('abort', onLost)
    for (const stop of unlisten) stop()
  })
}
