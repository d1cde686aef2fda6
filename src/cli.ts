/** The command line: `npx aldaba …`. Every command works beside a running server. */
import { readFileSync } from 'node:fs'
import { Command, InvalidArgumentError, Option } from 'commander'
import { loadConfig } from './config.ts'
import { type Deployment, openDeployment } from './deployment.ts'
import { diagnose } from './doctor.ts'
import { operations, priceBases, propertyTypes } from './domain/valuation/property.ts'
import {
  createKey,
  createWorkspace,
  getTenantId,
  listKeys,
  listUsers,
  revokeKey,
  setBranding,
  setQuota,
  setRetention,
} from './features/identity/service.ts'
import {
  fitMarketOf,
  importMarketFile,
  listMarkets,
  type MarketImport,
  skipReasons,
} from './features/market/service.ts'
import { logoOf } from './features/valuations/service.ts'
import { createLog } from './kit/log.ts'
import { quotaNames } from './kit/quota.ts'
import { scopes } from './kit/scope.ts'
import { serve } from './main.ts'

const program = new Command('aldaba')
  .description(
    'Real-estate lead generation, self-hosted. Configuration comes from the environment: see the README.',
  )
  .showHelpAfterError()

const environment = () =>
  new Option('--environment <environment>', 'live or test').choices(['live', 'test']).makeOptionMandatory()

program
  .command('serve')
  .description('serve the API and run jobs, until SIGTERM')
  .action(() => serve())

program
  .command('migrate')
  .description('bring the database up to date')
  .action(() =>
    withDeployment(async ({ migrated }) => {
      console.log(migrated.length > 0 ? `applied ${migrated.join(', ')}` : 'nothing to apply')
    }),
  )

program
  .command('doctor')
  .description('what is configured, and what is missing or wrong')
  .action(async () => {
    const findings = await diagnose()
    for (const { ok, what, detail } of findings)
      console.log(`${ok ? 'ok  ' : 'FAIL'}  ${what.padEnd(18)} ${detail}`)
    if (findings.some(finding => !finding.ok)) process.exitCode = 1
  })

const workspaces = program.command('workspaces').description('manage workspaces')
workspaces
  .command('create')
  .description('make a workspace with its live and test environments; prints its slug')
  .requiredOption('--name <name>', 'name of the agency')
  .option('--slug <slug>', 'short name for addresses and commands; made from the name if left out')
  .option('--owner-email <email>', 'e-mail address of its owner')
  .action(options =>
    withDeployment(async ({ database }) => console.log(await createWorkspace(database.owner, options))),
  )

workspaces
  .command('retention')
  .description('set for how long leads are kept; those that are older are erased every night')
  .requiredOption('--workspace <slug>', 'slug of the workspace')
  .requiredOption('--months <number>', 'months after the last dealing with a person, or "unlimited"', months)
  .action(({ workspace, months }) =>
    withDeployment(async ({ database }) => {
      await setRetention(database.owner, { workspace, months: months === 'unlimited' ? null : months })
      console.log(
        `leads of ${workspace} are kept for ${months === 'unlimited' ? 'ever' : `${months} months`}`,
      )
    }),
  )

workspaces
  .command('brand')
  .description('set how reports of a workspace look; "" takes away')
  .requiredOption('--workspace <slug>', 'slug of the workspace')
  .option('--color <color>', 'such as #1d4e79', color)
  .option('--logo <file>', 'a PNG, JPEG or SVG, up to 1 MB', logo)
  .option('--phone <phone>', 'as it is to be printed', textUpTo(50))
  .option('--email <email>', 'as it is to be printed', email)
  .option('--website <website>', 'as it is to be printed', textUpTo(200))
  .action(({ workspace, ...branding }) =>
    withDeployment(async ({ database }) => {
      await setBranding(database.owner, workspace, branding)
      console.log(`reports of ${workspace} have another look`)
    }),
  )

const keys = program.command('keys').description('manage API keys')
keys
  .command('create')
  .description('make an API key; prints the key alone, this once')
  .requiredOption('--workspace <slug>', 'slug of the workspace')
  .addOption(environment())
  .requiredOption('--name <name>', 'what it is for')
  .option('--scopes <scopes>', `comma-separated, none for full access: ${scopes.join(', ')}`, list)
  .option('--expires-in <duration>', 'such as 90d, 12h or 30m; never if left out', expiry)
  .action(({ expiresIn, ...options }) =>
    withDeployment(async ({ database }) =>
      console.log(await createKey(database.owner, { ...options, expiresAt: expiresIn ?? null })),
    ),
  )
keys
  .command('list')
  .description('list keys, without their values')
  .option('--workspace <slug>', 'of this workspace alone')
  .option('--json', 'as JSON')
  .action(options =>
    withDeployment(async ({ database }) => {
      const rows = await listKeys(database.owner, options.workspace)
      print(
        options.json,
        rows,
        ({ id, workspace, environment, name, scopes, revokedAt, expiresAt, lastUsedAt, last4 }) => ({
          id,
          workspace,
          environment,
          name,
          key: `…${last4}`,
          scopes: scopes.join(',') || 'all',
          state: revokedAt
            ? 'revoked'
            : expiresAt && Date.parse(expiresAt) <= Date.now()
              ? 'expired'
              : 'valid',
          lastUsedAt: lastUsedAt ?? 'never',
        }),
      )
    }),
  )
keys
  .command('revoke')
  .description('revoke a key; it is refused from the next request on')
  .argument('<id>', 'id of the key')
  .action(id =>
    withDeployment(async ({ database }) => {
      await revokeKey(database.owner, id)
      console.log(`revoked ${id}`)
    }),
  )

program
  .command('users')
  .description('manage users')
  .command('list')
  .description('list the people of a workspace')
  .requiredOption('--workspace <slug>', 'slug of the workspace')
  .option('--json', 'as JSON')
  .action(options =>
    withDeployment(async ({ database }) =>
      print(options.json, await listUsers(database.owner, options.workspace), row => row),
    ),
  )

program
  .command('quotas')
  .description('manage monthly quotas')
  .command('set')
  .description('set what an environment of a workspace may use in a month')
  .requiredOption('--workspace <slug>', 'slug of the workspace')
  .addOption(environment())
  .addOption(new Option('--name <quota>', 'which').choices([...quotaNames]).makeOptionMandatory())
  .requiredOption('--limit <number>', 'a whole number, or "unlimited"', limit)
  .action(({ workspace, environment, name, limit }) =>
    withDeployment(async ({ database }) => {
      await setQuota(database.owner, {
        tenantId: await getTenantId(database.owner, workspace, environment),
        name,
        limit: limit === 'unlimited' ? null : limit,
      })
      console.log(`${name} of ${workspace} (${environment}): ${limit}`)
    }),
  )

const market = program
  .command('market')
  .description('what properties are offered and sold for, to value others by')
market
  .command('import')
  .description(
    'import adverts or sales from a CSV file or a Kyero feed, plain or gzipped: see docs/market.md',
  )
  .argument('<file>', 'the file')
  .addOption(environment())
  .option('--currency <code>', 'of prices that do not tell theirs (ISO 4217)', currency, 'EUR')
  .addOption(
    new Option('--basis <basis>', 'whether prices were asked or paid').choices(priceBases).default('asking'),
  )
  .option('--source <name>', 'whose ids the file has: two sources may use the same', 'import')
  .addOption(new Option('--operation <operation>', 'of rows that do not tell theirs').choices(operations))
  .addOption(new Option('--type <type>', 'of rows that do not tell theirs').choices(propertyTypes))
  .action((path, { environment, currency, basis, source, operation = null, type = null }) =>
    withDeployment(async ({ database }) => {
      const file = { path, environment, source, currency, priceBasis: basis, operation, propertyType: type }
      const progress = await startProgress()
      const startedMs = performance.now()
      const done = await importMarketFile(database, file, progress.show).finally(progress.stop)
      printImport(done, (performance.now() - startedMs) / 1000)
      if (done.isCut) throw new Error(`${path} breaks off behind these rows.`)
    }),
  )

market
  .command('fit')
  .description(
    'learn from all markets what is paid for what: done every week by itself, and after much was imported',
  )
  .addOption(environment())
  .action(({ environment }) =>
    withDeployment(async ({ database }) => {
      const markets = await listMarkets(database.outside)
      for (const market of markets.filter(market => market.environment === environment)) {
        const { operation, propertyType, currency, priceBasis, properties } = market
        const startedMs = performance.now()
        const fit = await fitMarketOf(database.outside, market)
        const name = `${operation} ${propertyType} ${currency} ${priceBasis}`
        if (!fit)
          console.log(`${name}: ${properties} properties are too few to learn from; usual prices hold`)
        else {
          const { mdape, intervalCoverage } = fit.fitted.accuracy
          const seconds = Math.round((performance.now() - startedMs) / 1000)
          console.log(
            `${name}: learnt from ${fit.properties} of ${properties} properties in ${seconds} s; ` +
              `off by ${mdape.toFixed(1)} % (median), ${(100 * intervalCoverage).toFixed(0)} % within the range of 80 %`,
          )
        }
      }
    }),
  )

program
  .command('simulator')
  .description('serve the simulated portals alone')
  .option('--data <file>', 'CSV file of real adverts, plain or gzipped, in place of made-up ones')
  .option('--port <port>', 'port of the control address; the portals take those that follow', Number)
  .option('--seed <seed>', 'the same adverts for the same seed', Number)
  .action(async options => (await import('./simulator/serve.ts')).serveSimulator(options))

/** Opens the deployment, beside a running server or alone, for one piece of work. */
async function withDeployment(work: (deployment: Deployment) => Promise<void>): Promise<void> {
  const deployment = await openDeployment(loadConfig(), { mode: 'join', log: createLog('silent') })
  try {
    await work(deployment)
  } finally {
    await deployment.close()
  }
}

/** A bar where somebody sees it. */
async function startProgress(): Promise<{ show(share: number, rows: number): void; stop(): void }> {
  if (!process.stderr.isTTY) return { show() {}, stop() {} }
  const { SingleBar } = await import('cli-progress')
  const bar = new SingleBar({
    ...{ stream: process.stderr, format: '{bar} {percentage} %  {rows} rows', barsize: 32 },
    ...{ barCompleteChar: '█', barIncompleteChar: '░', autopadding: true, hideCursor: true },
  })
  bar.start(100, 0, { rows: 0 })
  return {
    show: (share, rows) => bar.update(Math.floor(share * 100), { rows: rows.toLocaleString('en') }),
    stop: () => bar.stop(),
  }
}

function printImport({ rows, created, joined, updated, unchanged, skipped }: MarketImport, seconds: number) {
  const number = (count: number) => count.toLocaleString('en')
  console.log(
    `${number(rows)} rows in ${seconds.toFixed(1)} s: ${number(created)} new properties, ${number(joined)} new adverts of known ones, ` +
      `${number(updated)} changed, ${number(unchanged)} unchanged`,
  )
  for (const [reason, { count, first }] of skipped) {
    const more = count > first.length ? ', …' : ''
    console.log(`${number(count)} skipped, ${skipReasons[reason]}: rows ${first.join(', ')}${more}`)
  }
}

function print<T>(asJson: boolean, rows: T[], columns: (row: T) => object): void {
  if (asJson) console.log(JSON.stringify(rows, null, 2))
  else if (rows.length === 0) console.log('none')
  else console.table(rows.map(columns))
}

function list(text: string): string[] {
  const items = text
    .split(',')
    .map(item => item.trim())
    .filter(Boolean)
  if (items.length === 0)
    throw new InvalidArgumentError('it names none. Leave the option out for full access.')
  return items
}

function expiry(text: string): Date {
  const match = /^([1-9]\d{0,4})([dhm])$/.exec(text)
  if (!match)
    throw new InvalidArgumentError('use a number of days, hours or minutes, such as 90d, 12h or 30m.')
  const unitMs = { d: 86_400_000, h: 3_600_000, m: 60_000 }[match[2] as 'd' | 'h' | 'm']
  return new Date(Date.now() + Number(match[1]) * unitMs)
}

function color(text: string): string {
  if (text === '' || /^#[0-9a-f]{6}$/i.test(text)) return text.toLowerCase()
  throw new InvalidArgumentError('use six hexadecimal digits behind a #, such as "#1d4e79".')
}

function logo(path: string): Buffer | '' {
  if (path === '') return path
  const bytes = readBytes(path)
  if (bytes && logoOf(bytes)) return bytes
  throw new InvalidArgumentError(
    bytes
      ? 'use a PNG or JPEG of up to 4000 pixels on a side, or an SVG that embeds nothing; up to 1 MB.'
      : 'there is no such file, or it can not be read.',
  )
}

function readBytes(path: string): Buffer | null {
  try {
    return readFileSync(path)
  } catch {
    return null
  }
}

function email(text: string): string {
  if (text === '' || /^[^\s@]{1,64}@[^\s@]{1,190}$/.test(text)) return text
  throw new InvalidArgumentError('use an address such as office@agency.example.')
}

function textUpTo(lengthMax: number): (text: string) => string {
  return text => {
    if (text.length > lengthMax) throw new InvalidArgumentError(`use up to ${lengthMax} characters.`)
    return text.trim()
  }
}

function currency(text: string): string {
  if (/^[A-Z]{3}$/.test(text)) return text
  throw new InvalidArgumentError('use a code of three capital letters, such as EUR.')
}

function limit(text: string): number | 'unlimited' {
  if (text === 'unlimited') return text
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('use a whole number, or "unlimited".')
}

function months(text: string): number | 'unlimited' {
  if (text === 'unlimited') return text
  const number = /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (number >= 1 && number <= 1200) return number
  throw new InvalidArgumentError('use a whole number from 1 to 1200, or "unlimited".')
}

await program.parseAsync().catch(error => {
  console.error((error as Error).message)
  process.exitCode = 1
})
