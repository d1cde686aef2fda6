/** Loads the portal definitions that the operator keeps in a folder. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { checkPortal } from './check-portal.ts'
import type { PortalDefinition } from './portal.ts'
import { portalKit } from './portal-kit.ts'
import { type PortalModule, registerModule } from './portal-modules.ts'

export type { PortalModule } from './portal-modules.ts'

const moduleName = /(?<!\.test|\.d)\.(?:ts|js|mjs)$/

/**
 * Loads every `.ts`, `.js` and `.mjs` file of the folder. The default export is a function that takes `portalKit` and
 * returns a definition. `takenIds` are the ids of the built-in portals. Throws one error that lists all problems by
 * file.
 */
export async function loadPortals(
  folder: string | null,
  takenIds: readonly string[] = [],
): Promise<PortalDefinition[]> {
  if (folder === null) return []
  const loaded: PortalDefinition[] = []
  const problems: string[] = []
  const filesById = new Map(takenIds.map(id => [id, 'the product itself']))
  for (const file of await listModules(folder)) {
    const result = await loadModule(join(folder, file))
    const fileProblems = 'problem' in result ? [result.problem] : checkPortal(result.definition)
    if ('definition' in result && fileProblems.length === 0) {
      const { definition } = result
      const other = filesById.get(definition.id)
      if (other) fileProblems.push(`\`id\` must be unique: ${other} already has the portal ${definition.id}`)
      else filesById.set(definition.id, file)
      registerModule(definition, result.module)
      loaded.push(definition)
    }
    problems.push(...fileProblems.map(sentence => `  ${file}: ${sentence}`))
  }
  if (problems.length > 0)
    throw new Error(`Some portal definitions in ${folder} can't be used:\n${problems.join('\n')}`)
  return loaded
}

async function listModules(folder: string): Promise<string[]> {
  const files = await readdir(folder).catch((error: Error) => {
    throw new Error(`The portal definitions in ${folder} can't be read: ${error.message}`, { cause: error })
  })
  return files.filter(file => moduleName.test(file)).sort()
}

async function loadModule(
  path: string,
): Promise<{ definition: PortalDefinition; module: string } | { problem: string }> {
  try {
    const module = pathToFileURL(path).href
    const { default: make } = (await import(module)) as { default?: PortalModule }
    if (typeof make !== 'function')
      return { problem: 'its default export must be a function that returns a portal definition' }
    return { definition: await make(portalKit), module }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
}
