/** Settings declared by features: typed, validated when written, and isolated between workspaces. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeDatabase } from '../../../test/harness.ts'
import { makeWorkspace, type TestWorkspace } from '../../../test/make.ts'
import { type Database, openDatabase, sql } from '../db/index.ts'
import { nullable, oneOf, strictObject, Type } from '../schema.ts'
import { setting } from './setting.ts'
import { changeSetting, getSetting, listSettings, readSetting, writeSetting } from './setting-store.ts'

let database: Database
/** Another process. */
let other: Database
let ours: TestWorkspace
let theirs: TestWorkspace
beforeAll(async () => {
  const url = await makeDatabase()
  database = openDatabase(url, { onError: () => {} })
  other = openDatabase(url, { onError: () => {} })
  ours = await makeWorkspace(database)
  theirs = await makeWorkspace(database)
})
afterAll(() => Promise.all([database.close(), other.close()]))

const operator = { userId: null }
const roles = { read: 'agent', write: 'admin' } as const
const live = {
  get tenantId() {
    return ours.liveTenantId
  },
}
const test = {
  get tenantId() {
    return ours.testTenantId
  },
}
const foreign = {
  get tenantId() {
    return theirs.testTenantId
  },
}

const phone = setting({
  name: 'doorPhone',
  scope: 'workspace',
  description: 'The phone of the door.',
  schema: strictObject({
    number: nullable(Type.String({ maxLength: 20 })),
    rings: Type.Integer({ minimum: 1 }),
  }),
  default: { number: null, rings: 3 },
  roles,
  check: ({ number }) =>
    number === '112' ? [{ path: '/number', code: 'NOT_ALLOWED', message: 'is not a door' }] : [],
})
const chime = setting({
  name: 'chime',
  scope: 'environment',
  description: 'The sound of the door.',
  schema: oneOf(['ding', 'dong']),
  default: 'ding',
  roles,
})

/** A setting as a feature that sends messages would declare it: the times at which people may be contacted. */
const hour = Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', description: 'Local time, as 09:30.' })
const workingHours = setting({
  name: 'workingHours',
  scope: 'workspace',
  description: 'When the agency works: intervals of each weekday, in its time zone.',
  schema: strictObject({
    timezone: Type.String({ maxLength: 50 }),
    week: Type.Array(
      strictObject({
        day: oneOf(['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']),
        from: hour,
        to: hour,
      }),
      { maxItems: 50 },
    ),
  }),
  default: { timezone: 'Europe/Madrid', week: [{ day: 'monday', from: '09:00', to: '18:00' }] },
  roles,
  check: ({ timezone, week }) => [
    ...(isTimezone(timezone)
      ? []
      : [{ path: '/timezone', code: 'NOT_ALLOWED', message: 'is not a time zone' }]),
    ...week.flatMap(({ from, to }, index) =>
      from < to ? [] : [{ path: `/week/${index}/to`, code: 'CONTRADICTION', message: 'is not after from' }],
    ),
  ],
})

function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

it('has its default until it is set, then one value in both environments and every process', async () => {
  expect(await database.readTenant(live, tx => readSetting(tx, phone))).toEqual({ number: null, rings: 3 })
  await database.withTenant(test, tx => writeSetting(tx, phone, { number: '600', rings: 1 }, operator))
  for (const each of [database, other])
    expect(await each.readTenant(live, tx => readSetting(tx, phone))).toEqual({ number: '600', rings: 1 })
  await other.withTenant(live, tx => writeSetting(tx, phone, { number: '700', rings: 1 }, operator))
  expect(await database.withTenant(test, tx => readSetting(tx, phone))).toEqual({ number: '700', rings: 1 })
})

it('with scope environment has a value for each environment', async () => {
  await database.withTenant(test, tx => writeSetting(tx, chime, 'dong', operator))
  expect(await database.readTenant(test, tx => readSetting(tx, chime))).toBe('dong')
  expect(await database.readTenant(live, tx => readSetting(tx, chime))).toBe('ding')
})

it('is isolated from other workspaces, even for direct statements', async () => {
  await database.withTenant(live, tx => writeSetting(tx, phone, { number: '1', rings: 1 }, operator))
  expect(await database.readTenant(foreign, tx => readSetting(tx, phone))).toEqual(phone.default)
  await database.withTenant(foreign, tx => writeSetting(tx, phone, { number: '2', rings: 2 }, operator))
  expect(await database.readTenant(live, tx => readSetting(tx, phone))).toEqual({ number: '1', rings: 1 })
  await database.withTenant(foreign, async tx => {
    const { rows } = await sql<{ value: { number: string } }>`select value from workspace_settings`.execute(
      tx,
    )
    expect(rows.map(({ value }) => value.number)).toEqual(['2'])
    const update =
      await sql`update workspace_settings set value = '{}' where value ->> 'number' = '1'`.execute(tx)
    expect(update.numAffectedRows).toBe(0n)
  })
  const { rows } = await sql<{ id: string }>`
    select workspace_id as id from tenants where id = ${ours.liveTenantId}`.execute(database.owner)
  const intrusion = database.withTenant(foreign, tx =>
    sql`insert into workspace_settings values (${rows[0]!.id}, 'n', '1', now(), null)`.execute(tx),
  )
  await expect(intrusion).rejects.toMatchObject({ code: '42501' })
})

it.each<[string, unknown, object[]]>([
  ['of the wrong type', 'red', [{ path: '', code: 'WRONG_TYPE', message: 'must be an object' }]],
  [
    'with several errors',
    { rings: 0, colour: 'red' },
    [
      { path: '/number', code: 'REQUIRED', message: 'is required' },
      { path: '/colour', code: 'UNKNOWN_FIELD', message: expect.stringContaining('is not a known field') },
      { path: '/rings', code: 'TOO_SMALL', message: 'must be >= 1' },
    ],
  ],
  [
    'that violates a rule of the setting',
    { number: '112', rings: 1 },
    [{ path: '/number', code: 'NOT_ALLOWED', message: 'is not a door' }],
  ],
])('a value %s is rejected with all errors, and changes nothing', async (_what, value, errors) => {
  const before = await database.readTenant(live, tx => readSetting(tx, phone))
  const written = database.withTenant(live, tx => writeSetting(tx, phone, value, operator))
  await expect(written).rejects.toMatchObject({ status: 400, code: 'INVALID_INPUT', errors })
  expect(await database.readTenant(live, tx => readSetting(tx, phone))).toEqual(before)
})

it('the error for an unknown name lists the existing ones', () => {
  expect(getSetting([phone, chime], 'chime')).toBe(chime)
  expect(() => getSetting([phone, chime], 'bell')).toThrow(
    expect.objectContaining({
      code: 'NOT_FOUND',
      message: 'There is no setting bell. Settings: doorPhone, chime.',
    }),
  )
})

it('a field added by a later version has its default', async () => {
  const later = setting({
    ...phone,
    schema: strictObject({ ...phone.schema.properties, isLoud: Type.Boolean() }),
    default: { ...phone.default, isLoud: true },
  })
  await database.withTenant(live, tx => writeSetting(tx, phone, { number: '5', rings: 5 }, operator))
  expect(await database.readTenant(live, tx => readSetting(tx, later))).toEqual({
    number: '5',
    rings: 5,
    isLoud: true,
  })
})

it('concurrent changes of one value are all applied', async () => {
  await database.withTenant(live, tx => writeSetting(tx, phone, { number: '0', rings: 1 }, operator))
  const increment = (each: Database) =>
    each.withTenant(live, tx =>
      changeSetting(tx, phone, current => ({ ...current, rings: current.rings + 1 }), operator),
    )
  await Promise.all([database, other, database, other].map(increment))
  expect(await database.readTenant(live, tx => readSetting(tx, phone))).toEqual({ number: '0', rings: 5 })
})

it('the list contains the author and time of changes, and omits large values', async () => {
  const { rows } = await sql<{ id: string }>`
    select u.id from users u join tenants t using (workspace_id) where t.id = ${theirs.testTenantId}`.execute(
    database.owner,
  )
  const userId = rows[0]!.id
  const picture = setting({ ...chime, name: 'picture', schema: Type.String(), default: '' })
  const before = Date.now()
  await database.withTenant(foreign, async tx => {
    await writeSetting(tx, chime, 'dong', { userId })
    await writeSetting(tx, picture, randomUUID().repeat(2000), operator)
  })
  const list = () => database.readTenant(foreign, tx => listSettings(tx, [workingHours, picture, chime]))
  const [hours, large, sound] = await list()
  expect(hours).toMatchObject({
    name: 'workingHours',
    isDefault: true,
    changedAt: null,
    value: workingHours.default,
  })
  expect(large).toMatchObject({ name: 'picture', isDefault: false, value: null, valueOmitted: true })
  expect(sound).toMatchObject({ value: 'dong', valueOmitted: false, isDefault: false, changedBy: userId })
  expect(Date.parse(sound!.changedAt!)).toBeGreaterThanOrEqual(before)
  // Writing the same value again changes nothing.
  await database.withTenant(foreign, tx => writeSetting(tx, chime, 'dong', operator))
  expect(await list()).toEqual([hours, large, sound])
})

it('supports structured values such as working hours', async () => {
  const week = [
    { day: 'monday', from: '09:00', to: '14:00' },
    { day: 'monday', from: '16:00', to: '19:30' },
  ]
  const write = (value: unknown) =>
    database.withTenant(live, tx => writeSetting(tx, workingHours, value, operator))
  await write({ timezone: 'Atlantic/Canary', week })
  const { timezone, week: read } = await database.readTenant(live, tx => readSetting(tx, workingHours))
  expect({ timezone, week: read }).toEqual({ timezone: 'Atlantic/Canary', week })
  await expect(
    write({ timezone: 'Atlantic/Atlantis', week: [...week, { day: 'friday', from: '18:00', to: '09:00' }] }),
  ).rejects.toMatchObject({
    errors: [
      { path: '/timezone', code: 'NOT_ALLOWED' },
      { path: '/week/2/to', code: 'CONTRADICTION' },
    ],
  })
})
