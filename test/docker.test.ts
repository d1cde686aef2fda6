/** Checks Dockerfile and compose.yaml without Docker: valid, and consistent with the program. */
import { existsSync, readFileSync } from 'node:fs'
import { validate } from 'dockerfile-utils'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { loadConfig } from '../src/config.ts'

const root = new URL('../', import.meta.url).pathname
const read = (name: string) => readFileSync(root + name, 'utf8')
const dockerfile = read('Dockerfile')
const { services, volumes } = parse(read('compose.yaml'))
const { aldaba, database } = services

test('the Dockerfile passes the linter', () => {
  expect(validate(dockerfile).map(({ message, range }) => `${range.start.line + 1}: ${message}`)).toEqual([])
})

test('the Dockerfile copies existing files, and sets variables that the program reads', () => {
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, files]) =>
    files!.split(' '),
  )
  expect(copied.length).toBeGreaterThan(3)
  for (const name of copied) expect(existsSync(root + name), name).toBe(true)
  expect(loadConfig({ HOST: /HOST=(\S+)/.exec(dockerfile)![1], DATA_DIR: '/data' })).toMatchObject({
    host: '0.0.0.0',
    dataDir: '/data',
    port: 3000,
  })
  expect(dockerfile).toContain('VOLUME /data\nEXPOSE 3000\n')
})

test('compose.yaml starts the program with its database', () => {
  const fill = (text: string) =>
    text.replace(/\$\{DATABASE_PASSWORD[^}]*\}/, 'secret').replace(/\$\{PUBLIC_URL:-(.*)\}/, '$1')
  const env = Object.fromEntries(
    Object.entries<string>(aldaba.environment).map(([name, text]) => [name, fill(text)]),
  )
  expect(loadConfig(env)).toMatchObject({
    databaseUrl: 'postgres://aldaba:secret@database/aldaba',
    publicUrl: 'http://localhost:3000',
  })
  expect(database.environment).toMatchObject({ POSTGRES_USER: 'aldaba', POSTGRES_DB: 'aldaba' })
  expect(aldaba.depends_on).toEqual({ database: { condition: 'service_healthy' } })
  const mounts = [...aldaba.volumes, ...database.volumes].map((mount: string) => mount.split(':')[0])
  expect(Object.keys(volumes).sort()).toEqual(mounts.sort())
})
