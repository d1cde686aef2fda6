/** The embedded PostgreSQL: first start, sharing between processes, crashes. */
import { spawn } from 'node:child_process'
import { chownSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import {
  copyInitializedDirectory,
  getOpenError,
  isOpen,
  isRoot,
  makeDirectory,
  openInChildProcess,
  openServer,
  queryServer,
  startTimeouts,
} from '../../test/embedded-server.ts'

vi.setConfig(startTimeouts)

function readPostmasterPid(dataDir: string): number {
  return Number.parseInt(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10)
}

/**
 * Writes the id of a living process of the same user into the lock files of a dead server, as if the pid was reused.
 */
function reusePid(dataDir: string, deadPid: number): void {
  const directory = join(dataDir, 'postgres')
  const { uid, gid } = statSync(directory)
  const child = spawn('sleep', ['60'], isRoot ? { uid, gid } : {})
  onTestFinished(() => void child.kill())
  for (const name of ['postmaster.pid', '.s.PGSQL.5432.lock']) {
    const file = join(directory, name)
    writeFileSync(file, readFileSync(file, 'utf8').replace(`${deadPid}\n`, `${child.pid}\n`))
  }
}

it('creates a database on the first start, which the second start uses', async () => {
  const dataDir = makeDirectory()
  const first = await openServer(dataDir)
  expect(first.owner).toBe(true)
  await queryServer(first.databaseUrl, 'create table note as select 1 as id')
  await first.stop()
  expect(isOpen(dataDir)).toBe(false)
  expect(readdirSync(dataDir).sort()).toEqual(['postgres', 'postgres.log'])

  const second = await openServer(dataDir)
  expect(await queryServer(second.databaseUrl, 'select id from note')).toEqual([{ id: 1 }])
})

it('creates a database with the required extensions, owned by a role that is not a superuser', async () => {
  const { databaseUrl, superuserUrl } = await openServer(await copyInitializedDirectory(), {
    settings: { work_mem: '7MB' },
  })
  expect(
    await queryServer(
      databaseUrl,
      `select current_user::text as role, current_database()::text as database, rolsuper, rolbypassrls, rolcreaterole,
        (select array_agg(extname::text order by extname) from pg_extension) as extensions,
        current_setting('server_encoding') as encoding, current_setting('timezone') as timezone
       from pg_roles where rolname = current_user`,
    ),
  ).toEqual([
    {
      role: 'aldaba',
      database: 'aldaba',
      rolsuper: false,
      rolbypassrls: false,
      rolcreaterole: true,
      extensions: ['btree_gist', 'pg_trgm', 'plpgsql', 'unaccent'],
      encoding: 'UTF8',
      timezone: 'UTC',
    },
  ])
  expect(
    await queryServer(
      superuserUrl,
      `select rolsuper, current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit,
        current_setting('work_mem') as work_mem
       from pg_roles where rolname = current_user`,
    ),
  ).toEqual([{ rolsuper: true, fsync: 'on', commit: 'on', work_mem: '7MB' }])
})

it('listens on TCP if the path is too long for a socket, with different ports for two servers', async () => {
  const dataDirs = [
    await copyInitializedDirectory('x'.repeat(100)),
    await copyInitializedDirectory('x'.repeat(100)),
  ]
  const servers = await Promise.all(dataDirs.map(dataDir => openServer(dataDir)))
  const ports = await Promise.all(
    servers.map(async ({ databaseUrl }) => {
      expect(new URL(databaseUrl).hostname).toBe('127.0.0.1')
      return (await queryServer(databaseUrl, 'select inet_server_port() as port'))[0]?.port
    }),
  )
  expect(new Set(ports).size).toBe(2)
})

it('joins a server that another process owns, and leaves it running', async () => {
  const dataDir = await copyInitializedDirectory()
  const owner = openInChildProcess(dataDir, 'own')
  expect(await owner.outcome).toEqual({ owner: true })
  const joined = await openServer(dataDir, { mode: 'join' })
  expect(joined.owner).toBe(false)
  await queryServer(joined.databaseUrl, 'create table note ()')
  await joined.stop()
  expect(isOpen(dataDir)).toBe(true)
  await owner.stopAndExit()
  expect(isOpen(dataDir)).toBe(false)
})

it('keeps running for a command that still uses it; the last process stops it', async () => {
  const dataDir = await copyInitializedDirectory()
  const owner = openInChildProcess(dataDir, 'own')
  await owner.outcome
  const command = await openServer(dataDir, { mode: 'join' })
  await owner.stopAndExit()
  await queryServer(command.databaseUrl, 'select 1')
  await command.stop()
  expect(isOpen(dataDir)).toBe(false)
})

it('starts for a command, and a server may join while the command is running', async () => {
  const dataDir = await copyInitializedDirectory()
  const command = openInChildProcess(dataDir, 'join')
  expect(await command.outcome).toEqual({ owner: true })
  const server = await openServer(dataDir, { ownerWaitMs: 0 })
  expect(server.owner).toBe(true)
  await command.stopAndExit()
  await queryServer(server.databaseUrl, 'select 1')
})

it('rejects a second server on the same directory, and names the first', async () => {
  const dataDir = await copyInitializedDirectory()
  const owner = openInChildProcess(dataDir, 'own')
  await owner.outcome
  const sentence = await getOpenError(dataDir, { ownerWaitMs: 100 })
  expect(sentence).toContain(`in use by another Aldaba server (aldaba pid ${owner.pid}): stop that one`)
  expect(isOpen(dataDir)).toBe(true)
})

it('waits for a server that is about to exit', async () => {
  const dataDir = await copyInitializedDirectory()
  const owner = openInChildProcess(dataDir, 'own')
  await owner.outcome
  const opening = openServer(dataDir)
  owner.stopAndExit()
  expect((await opening).owner).toBe(true)
})

it('creates one database for several processes that start together on an empty directory', async () => {
  const dataDir = makeDirectory()
  const others = [openInChildProcess(dataDir, 'join'), openInChildProcess(dataDir, 'join')]
  const here = await openServer(dataDir)
  for (const other of others) expect(await other.outcome).toHaveProperty('owner')
  await queryServer(here.databaseUrl, 'select 1')
  await Promise.all([...others.map(other => other.stopAndExit()), here.stop()])
  expect(readdirSync(dataDir).sort()).toEqual(['postgres', 'postgres.log'])
  expect(isOpen(dataDir)).toBe(false)
})

it('uses the running server of a process that was killed', async () => {
  const dataDir = await copyInitializedDirectory()
  const owner = openInChildProcess(dataDir, 'own')
  await owner.outcome
  const pid = readPostmasterPid(dataDir)
  owner.child.kill('SIGKILL')
  await owner.exited
  const adopted = await openServer(dataDir)
  expect(adopted.owner).toBe(true)
  expect(readPostmasterPid(dataDir)).toBe(pid)
  await adopted.stop()
  expect(isOpen(dataDir)).toBe(false)
})

it('keeps running when Ctrl-C reaches the whole process group', async () => {
  const dataDir = await copyInitializedDirectory()
  const owner = openInChildProcess(dataDir, 'own')
  await owner.outcome
  const pid = readPostmasterPid(dataDir)
  process.kill(-owner.pid, 'SIGINT')
  const joined = await openServer(dataDir, { mode: 'join' })
  expect(joined.owner).toBe(false)
  await queryServer(joined.databaseUrl, 'select 1')
  expect(readPostmasterPid(dataDir)).toBe(pid)
})

it('reports that the server was killed, and recovers committed data at the next start', async () => {
  const dataDir = await copyInitializedDirectory()
  const first = await openServer(dataDir)
  await queryServer(first.databaseUrl, 'create table note as select 1 as id')
  const pid = readPostmasterPid(dataDir)
  process.kill(pid, 'SIGKILL')
  expect(await first.lost).toContain(
    `PostgreSQL (pid ${pid}) has stopped while it was in use: start Aldaba again`,
  )
  await first.stop()
  const second = await openServer(dataDir)
  expect(await queryServer(second.databaseUrl, 'select id from note')).toEqual([{ id: 1 }])
})

it('stays the owner when the server restarts itself because one of its processes was killed', async () => {
  const dataDir = await copyInitializedDirectory()
  const server = await openServer(dataDir)
  const lost = vi.fn()
  server.lost.then(lost)
  const [session] = await queryServer(
    server.superuserUrl,
    `select pid from pg_stat_activity where application_name like 'aldaba%'`,
  )
  process.kill(Number(session?.pid), 'SIGKILL')
  const locks = `select mode from pg_locks where locktype = 'advisory' order by mode`
  await vi.waitFor(
    async () =>
      expect(await queryServer(server.superuserUrl, `${locks} -- not ${session?.pid}`)).toEqual([
        { mode: 'ExclusiveLock' },
        { mode: 'ShareLock' },
      ]),
    { timeout: 150_000, interval: 20 },
  )
  expect(
    await queryServer(server.superuserUrl, `select from pg_stat_activity where pid = ${session?.pid}`),
  ).toEqual([])
  expect(lost).not.toHaveBeenCalled()
})

it('starts despite a lock file with the id of another process', async () => {
  const dataDir = await copyInitializedDirectory()
  const crashed = await openServer(dataDir)
  const pid = readPostmasterPid(dataDir)
  process.kill(pid, 'SIGKILL')
  await crashed.lost
  reusePid(dataDir, pid)
  const server = await openServer(dataDir)
  await queryServer(server.databaseUrl, 'select 1')
})

it.each([
  ['while its files are being created', /^postgres\.new-/],
  ['before its database is created', /^postgres$/],
])('repairs a first start that was killed %s', async (_, pattern) => {
  const dataDir = makeDirectory()
  const killed = openInChildProcess(dataDir, 'own')
  await vi.waitFor(() => expect(readdirSync(dataDir)).toContainEqual(expect.stringMatching(pattern)), {
    timeout: 150_000,
    interval: 2,
  })
  killed.child.kill('SIGKILL')
  await killed.exited
  const repaired = await openServer(dataDir)
  await queryServer(repaired.databaseUrl, 'create table note ()')
  expect(readdirSync(dataDir).sort()).toEqual(['postgres', 'postgres.log'])
})

it('completes a database whose creation was interrupted', async () => {
  const dataDir = await copyInitializedDirectory()
  const first = await openServer(dataDir)
  // Its name until all extensions are created.
  await queryServer(first.superuserUrl, 'alter database aldaba rename to aldaba_new')
  await first.stop()
  const second = await openServer(dataDir)
  expect(await queryServer(second.databaseUrl, `select 'piso' % 'pisos' as similar`)).toEqual([
    { similar: true },
  ])
})

it.runIf(isRoot)('runs for an ordinary user and then for root', async () => {
  const dataDir = makeDirectory()
  chownSync(dataDir, 65534, 65534)
  const ordinary = openInChildProcess(dataDir, 'own', { uid: 65534, gid: 65534 })
  expect(await ordinary.outcome).toEqual({ owner: true })
  await ordinary.stopAndExit()
  // As root, it runs PostgreSQL as the owner of the files.
  const server = await openServer(dataDir)
  await queryServer(server.databaseUrl, 'select 1')
})
