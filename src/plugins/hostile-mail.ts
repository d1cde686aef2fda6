/** Mail servers on loopback that answer badly in one way, in place of those that a user enters. */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'

type Protocol = 'smtp' | 'imap'
type Answer = (socket: Socket, protocol: Protocol) => void

const greetings = { smtp: '220 mail ESMTP\r\n', imap: '* OK [CAPABILITY IMAP4rev1] mail\r\n' }
const refusals = { smtp: '554 no\r\n', imap: '* BYE no\r\n' }
const filler = Buffer.alloc(65_536, 'x')

const fill: Answer = socket => {
  const write = () => {
    while (!socket.destroyed && socket.write(filler));
  }
  socket.on('drain', write)
  write()
}

interface Conversation {
  onSignIn?: Record<Protocol, string>
  /** What the server does with the end of a message, and with the choice of a mailbox. */
  onUse: Answer
}

/** Greets, and takes every command until the one that matters. */
const converse =
  ({ onSignIn, onUse }: Conversation): Answer =>
  (socket, protocol) => {
    const say = (line: string) => socket.write(`${line}\r\n`)
    let isData = false
    const lines = createInterface(socket).on('error', () => {})
    lines.on('line', line => {
      const [tag, command = ''] = protocol === 'imap' ? line.split(' ') : ['', line.split(' ', 1)[0]]
      const isSignIn = /^(?:AUTH|LOGIN)$/i.test(command)
      if (isData) {
        if (line === '.') onUse(socket, protocol)
      } else if (isSignIn && onSignIn) say(protocol === 'imap' ? `${tag} ${onSignIn.imap}` : onSignIn.smtp)
      else if (protocol === 'imap' && /^(?:SELECT|EXAMINE)$/i.test(command)) onUse(socket, protocol)
      else if (protocol === 'imap') say(`${tag} OK`)
      else if (/^EHLO$/i.test(command)) say('250-mail\r\n250 AUTH PLAIN')
      else if (isSignIn) say('235 2.7.0 ok')
      else if (/^DATA$/i.test(command)) {
        isData = true
        say('354 go on')
      } else say('250 ok')
    })
    socket.write(greetings[protocol])
  }

export const hostileMail: Record<string, Answer> = {
  'mail servers that hang up': socket => socket.destroy(),
  'mail servers that greet and hang up': (socket, protocol) => socket.end(greetings[protocol]),
  'mail servers that speak HTTP': socket => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'),
  'mail servers that refuse': (socket, protocol) => socket.end(refusals[protocol]),
  'mail servers with an endless greeting': fill,
  'mail servers that refuse the password': converse({
    onSignIn: { smtp: '535 5.7.8 no', imap: 'NO [AUTHENTICATIONFAILED] no' },
    onUse: socket => socket.destroy(),
  }),
  'cut mail servers': converse({ onUse: socket => socket.destroy() }),
  'mail servers with an endless reply': converse({ onUse: fill }),
}

/** Serves until `close`. */
export async function serveHostileMail(answer: Answer) {
  const sockets = new Set<Socket>()
  const reached = new Set<Protocol>()
  const serve = async (protocol: Protocol) => {
    const server = createServer(socket => {
      reached.add(protocol)
      sockets.add(socket)
      socket.on('error', () => {}).on('close', () => sockets.delete(socket))
      answer(socket, protocol)
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    return server
  }
  const servers = { smtp: await serve('smtp'), imap: await serve('imap') }
  const place = (protocol: Protocol) => ({
    port: (servers[protocol].address() as AddressInfo).port,
    security: 'none',
  })
  return {
    /** The fields `smtp` and `imap` of credentials that lead here. */
    aim(credentials: Record<string, unknown>): Record<string, unknown> {
      const aimed = (['smtp', 'imap'] as const)
        .filter(protocol => protocol in credentials)
        .map(protocol => [protocol, { ...(credentials[protocol] as object), ...place(protocol) }])
      return { ...credentials, ...Object.fromEntries(aimed) }
    },
    wasReached: (protocol: Protocol) => reached.has(protocol),
    async close() {
      for (const socket of sockets) socket.destroy()
      await Promise.all(Object.values(servers).map(server => new Promise(resolve => server.close(resolve))))
    },
  }
}
