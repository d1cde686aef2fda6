/** The parts of hoodiecrow-imap that the simulator uses; it has no types. */
declare module 'hoodiecrow-imap' {
  import type { Server } from 'node:net'

  interface Options {
    plugins: string[]
    users: Record<string, { password: string }>
    storage: Record<string, unknown>
    secureConnection?: boolean
  }
  interface ImapServer {
    server: Server
    listen(port: number, host: string, callback: () => void): void
    close(callback: () => void): void
    appendMessage(path: string, flags: string[], date: Date, raw: string): void
    getMailbox(path: string): { messages: { uid: number; raw: string; flags: string[] }[] }
  }
  export default function createServer(options: Options): ImapServer
}
