/** Dovecot of Debian on loopback, for tests with a real IMAP server. It needs root, as its login processes give up rights. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const program = '/usr/sbin/dovecot'

/** Null: it can run here. */
export const dovecotMissing =
  existsSync(program) && process.getuid?.() === 0 ? null : 'Dovecot of Debian and root are needed'

export interface Dovecot {
  port: number
  /** Delivers to the mailbox of the address; creates it. */
  deliver(address: string, folder: 'INBOX' | 'Sent', raw: string): void
  /** The number of messages in the inbox that no program has touched. */
  countUntouched(address: string): number
  close(): Promise<void>
}

/** Every user has the password `secret`. */
export async function startDovecot(): Promise<Dovecot> {
  const folder = mkdtempSync(join(tmpdir(), 'dovecot-'))
  const mail = join(folder, 'mail')
  mkdirSync(mail)
  execFileSync('chmod', ['755', folder])
  execFileSync('chown', ['dovecot:dovecot', mail])
  const port = await findFreePort()
  const file = join(folder, 'dovecot.conf')
  writeFileSync(file, formatConfiguration(folder, port))
  const server = spawn(program, ['-F', '-c', file], { stdio: 'ignore' })
  const ended = once(server, 'exit')
  await waitForPort(port, () => readFileSync(join(folder, 'log'), 'utf8'))
  let count = 0
  return {
    port,
    deliver(address, mailbox, raw) {
      const path = join(mail, address, mailbox === 'Sent' ? '.Sent' : '')
      const name = `${Date.now()}.${++count}.test`
      for (const part of ['new', 'cur', 'tmp']) mkdirSync(join(path, part), { recursive: true })
      writeFileSync(join(path, 'tmp', name), raw)
      execFileSync('chown', ['-R', 'dovecot:dovecot', join(mail, address)])
      execFileSync('mv', [join(path, 'tmp', name), join(path, 'new', name)])
    },
    countUntouched: address => readdirSync(join(mail, address, 'new')).length,
    async close() {
      server.kill()
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function formatConfiguration(folder: string, port: number): string {
  return `
base_dir = ${folder}/run
state_dir = ${folder}/run
log_path = ${folder}/log
protocols = imap
listen = 127.0.0.1
ssl = no
default_internal_user = dovecot
default_internal_group = dovecot
default_login_user = dovenull
first_valid_uid = 0
first_valid_gid = 0
mail_location = maildir:${folder}/mail/%u
service imap-login {
  chroot =
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = 0
  }
}
passdb {
  driver = static
  args = password=secret
}
userdb {
  driver = static
  args = uid=dovecot gid=dovecot home=${folder}/mail/%u
}
namespace inbox {
  inbox = yes
  mailbox Sent {
    special_use = \\Sent
    auto = create
  }
}
`
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

async function waitForPort(port: number, readLog: () => string): Promise<void> {
  const end = performance.now() + 20_000
  for (;;) {
    const socket = connect(port, '127.0.0.1')
    const isOpen = await once(socket, 'data').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (isOpen) return
    if (performance.now() > end) throw new Error(`Dovecot did not start: ${readLog()}`)
    await new Promise(resolve => setTimeout(resolve, 100))
  }
}
