/** The commands `npx aldaba market …`. */
import { type Command, InvalidArgumentError, Option } from 'commander'
import {
  type Operation,
  operations,
  type PriceBasis,
  type PropertyType,
  priceBases,
  propertyTypes,
} from '../domain/valuation/property.ts'
import type { MarketImport } from '../features/market/service.ts'
import type { Environment } from '../kit/key.ts'
import { environmentOption, parseName, printRows, withDeployment } from './command.ts'

type MarketService = typeof import('../features/market/service.ts')
type MarketCount = Awaited<ReturnType<MarketService['listMarkets']>>[number]

const importService = (): Promise<MarketService> => import('../features/market/service.ts')

interface ImportOptions {
  environment: Environment
  currency: string
  basis: PriceBasis
  source: string
  operation?: Operation
  type?: PropertyType
}

export function addMarket(program: Command): void {
  const market = program.command('market').description('manage market data, on which valuations are based')
  addImport(market)
  addFit(market)
  addList(market)
}

function addImport(market: Command): void {
  market
    .command('import')
    .description(
      'import listings or sales from a CSV file or a Kyero feed, plain or gzipped: see docs/guides/bring-market-data.md',
    )
    .argument('<file>', 'the file')
    .addOption(environmentOption())
    .option('--currency <code>', 'currency of prices without one (ISO 4217)', parseCurrency, 'EUR')
    .addOption(new Option('--basis <basis>', 'kind of prices').choices(priceBases).default('asking'))
    .option('--source <name>', 'name of the source; ids are unique within a source', parseName, 'import')
    .addOption(new Option('--operation <operation>', 'operation of rows without one').choices(operations))
    .addOption(new Option('--type <type>', 'property type of rows without one').choices(propertyTypes))
    .action(
      withDeployment(async ({ database }, path: string, options: ImportOptions) => {
        const { environment, currency, basis, source, operation = null, type = null } = options
        const file = {
          path,
          environment,
          source,
          currency,
          priceBasis: basis,
          operation,
          propertyType: type,
        }
        const { importMarketFile, skipReasons } = await importService()
        const progress = await startProgress()
        const startedMs = performance.now()
        const imported = await importMarketFile(database, file, progress.show).finally(progress.stop)
        printImport(imported, skipReasons, (performance.now() - startedMs) / 1000)
        if (imported.damage)
          throw new Error(
            `${path}: ${imported.damage} The rows before are stored. Fix the file and import it again: known rows are not counted twice.`,
          )
      }),
    )
}

function addFit(market: Command): void {
  market
    .command('fit')
    .description(
      'fit the price model of every market now; a nightly job fits those that are new, have grown, or have a week-old model',
    )
    .addOption(environmentOption())
    .action(
      withDeployment(async ({ database }, { environment }: { environment: Environment }) => {
        const { fitAndStoreMarket, listMarkets } = await importService()
        const markets = await listMarkets(database.unscoped, environment)
        if (markets.length === 0)
          console.log(`there is no market data in ${environment}: see docs/guides/bring-market-data.md`)
        for (const market of markets) {
          const startedMs = performance.now()
          const fit = await fitAndStoreMarket(database.unscoped, market)
          printFit(market, fit, (performance.now() - startedMs) / 1000)
        }
      }),
    )
}

function addList(market: Command): void {
  market
    .command('list')
    .description('list markets with their numbers of properties and the accuracy of their price models')
    .addOption(environmentOption())
    .option('--json', 'print JSON')
    .action(
      withDeployment(
        async ({ database }, { environment, json = false }: { environment: Environment; json?: boolean }) => {
          const { listKnownMarkets } = await importService()
          const markets = await listKnownMarkets(database.unscoped, environment)
          printRows(json, markets, ({ accuracy, fittedAt, environment: _environment, ...market }) => ({
            ...market,
            fittedAt: fittedAt?.toISOString() ?? 'never',
            medianError: accuracy ? `${accuracy.mdape.toFixed(1)} %` : 'not measured',
          }))
        },
      ),
    )
}

/** A progress bar on stderr if it is a terminal. */
async function startProgress(): Promise<{ show(share: number, rows: number): void; stop(): void }> {
  if (!process.stderr.isTTY) return { show() {}, stop() {} }
  const { SingleBar } = await import('cli-progress')
  const bar = new SingleBar({
    stream: process.stderr,
    format: '{bar} {percentage} %  {rows} rows',
    barsize: 32,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    autopadding: true,
    hideCursor: true,
  })
  bar.start(100, 0, { rows: 0 })
  return {
    show: (share, rows) => bar.update(Math.floor(share * 100), { rows: rows.toLocaleString('en') }),
    stop: () => bar.stop(),
  }
}

function printImport(
  { rows, created, joined, updated, unchanged, skipped }: MarketImport,
  skipReasons: MarketService['skipReasons'],
  seconds: number,
) {
  const formatNumber = (count: number) => count.toLocaleString('en')
  console.log(
    `${formatNumber(rows)} rows in ${seconds.toFixed(1)} s: ${formatNumber(created)} new properties, ${formatNumber(joined)} new listings of known ones, ` +
      `${formatNumber(updated)} changed, ${formatNumber(unchanged)} unchanged`,
  )
  for (const [reason, { count, first }] of skipped) {
    const more = count > first.length ? ', …' : ''
    console.log(`${formatNumber(count)} skipped, ${skipReasons[reason]}: rows ${first.join(', ')}${more}`)
  }
}

function printFit(
  { operation, propertyType, currency, priceBasis, properties }: MarketCount,
  fit: Awaited<ReturnType<MarketService['fitAndStoreMarket']>>,
  seconds: number,
) {
  const name = `${operation} ${propertyType} ${currency} ${priceBasis}`
  if (!fit)
    return console.log(`${name}: ${properties} properties are too few for a model; default prices are used`)
  const { mdape, intervalCoverage } = fit.fitted.accuracy
  console.log(
    `${name}: fitted to ${fit.properties} of ${properties} properties in ${Math.round(seconds)} s; ` +
      `median error ${mdape.toFixed(1)} %, 80 % range covers ${(100 * intervalCoverage).toFixed(0)} %`,
  )
}

function parseCurrency(text: string): string {
  if (/^[A-Z]{3}$/.test(text)) return text
  throw new InvalidArgumentError('use a code of three capital letters, such as EUR.')
}
