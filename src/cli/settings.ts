/** The commands `npx aldaba settings …`. */
import { globSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Command, InvalidArgumentError } from 'commander'
import type { Deployment } from '../deployment.ts'
import type { Environment, Tx } from '../kit/db/index.ts'
import type { Setting } from '../kit/settings/setting.ts'
import { environmentOption, operator, parseName, printRows, withDeployment } from './command.ts'

const importStore = () => import('../kit/settings/setting-store.ts')

/** The maximum size of a file that holds a value. */
const fileMaxBytes = 2_000_000
/** Maximum number of characters of a value in a table. */
const tableTextMax = 60

interface WorkspaceOptions {
  workspace: string
  environment?: Environment
}

export function addSettings(program: Command): void {
  const settings = program.command('settings').description('manage settings of workspaces and environments')
  addList(settings)
  addGet(settings)
  addSet(settings)
}

function addList(settings: Command): void {
  withWorkspaceOptions(settings.command('list'))
    .description('list settings with their values, including those of an environment if one is given')
    .option('--json', 'print JSON, with descriptions and schemas')
    .action(
      withDeployment(
        async (deployment, { json = false, ...where }: WorkspaceOptions & { json?: boolean }) => {
          const all = await loadSettings()
          const listed = all.filter(({ scope }) => scope === 'workspace' || where.environment)
          const { listSettings } = await importStore()
          const rows = await runInEnvironment(deployment, where, tx => listSettings(tx, listed))
          printRows(json, rows, ({ name, scope, value, valueOmitted, changedAt, changedBy }) => ({
            name,
            scope,
            value: valueOmitted ? '(long: see settings get)' : shorten(JSON.stringify(value)),
            changedAt: changedAt ?? 'never',
            changedBy: changedBy ?? (changedAt ? 'operator' : ''),
          }))
        },
      ),
    )
}

function addGet(settings: Command): void {
  withWorkspaceOptions(settings.command('get'))
    .description('print the value of a setting as JSON')
    .argument('<name>', 'name of the setting', parseName)
    .action(
      withDeployment(async (deployment, settingName: string, where: WorkspaceOptions) => {
        const setting = await getSettingByName(settingName, where)
        const { readSetting } = await importStore()
        const value = await runInEnvironment(deployment, where, tx => readSetting(tx, setting))
        console.log(JSON.stringify(value))
      }),
    )
}

function addSet(settings: Command): void {
  withWorkspaceOptions(settings.command('set'))
    .description('set the value of a setting; it applies from the next request on')
    .argument('<name>', 'name of the setting', parseName)
    .argument('<json>', 'the complete value as JSON, or @file to read it from a file', parseJson)
    .action(
      withDeployment(async (deployment, settingName: string, value: unknown, where: WorkspaceOptions) => {
        const setting = await getSettingByName(settingName, where)
        const [{ writeSetting }, { Problem }] = await Promise.all([
          importStore(),
          import('../kit/problem.ts'),
        ])
        await runInEnvironment(deployment, where, tx => writeSetting(tx, setting, value, operator)).catch(
          error => {
            if (!(error instanceof Problem) || !error.errors) throw error
            const errors = error.errors.map(({ path, message }) => `${settingName}${path}: ${message}`)
            throw new Error(errors.join('\n'))
          },
        )
        console.log(`set ${settingName} of ${where.workspace}`)
      }),
    )
}

function withWorkspaceOptions(command: Command): Command {
  return command
    .requiredOption('--workspace <slug>', 'slug of the workspace', parseName)
    .addOption(environmentOption().makeOptionMandatory(false))
}

const features = new URL('../features/', import.meta.url)

/**
 * Loads every setting from the features' `settings.ts` files. Loading the complete features would double the time of
 * the command. A test compares the result with the settings that the features declare.
 */
export async function loadSettings(): Promise<Setting[]> {
  const files = globSync('*/settings.ts', { cwd: fileURLToPath(features) }).sort()
  const loaded = await Promise.all(files.map(file => import(new URL(file, features).href)))
  return loaded.flatMap(({ settings }: { settings: Setting[] }) => settings)
}

/** Throws if the setting does not exist, or if it belongs to an environment and none is given. */
async function getSettingByName(settingName: string, { environment }: WorkspaceOptions): Promise<Setting> {
  const { getSetting } = await importStore()
  const setting = getSetting(await loadSettings(), settingName)
  if (setting.scope === 'environment' && !environment)
    throw new Error(`${settingName} is a setting of an environment: add --environment live or test.`)
  return setting
}

/** Runs `work` in the environment. For settings of the workspace either environment works. */
async function runInEnvironment<T>(
  { database }: Deployment,
  { workspace, environment = 'live' }: WorkspaceOptions,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const { getTenantIdBySlug } = await import('../features/identity/service.ts')
  const tenantId = await getTenantIdBySlug(database.owner, workspace, environment)
  return database.withTenant({ tenantId }, work)
}

/** Parses JSON, or the JSON file named after `@`. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.startsWith('@') ? readSmallFile(text.slice(1)) : text)
  } catch (error) {
    if (error instanceof InvalidArgumentError) throw error
    throw new InvalidArgumentError(`it is not JSON: ${(error as Error).message.slice(0, 200)}.`)
  }
}

function readSmallFile(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats?.isFile()) throw new InvalidArgumentError('the file does not exist.')
  if (stats.size > fileMaxBytes)
    throw new InvalidArgumentError(`the file is larger than ${fileMaxBytes} bytes.`)
  return readFileSync(path, 'utf8')
}

const shorten = (text: string) => (text.length > tableTextMax ? `${text.slice(0, tableTextMax - 1)}…` : text)
