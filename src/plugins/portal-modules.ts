/** Where definitions come from: a thread loads them anew, for functions can't be sent to it. */
import type { PortalDefinition } from './portal.ts'
import type { PortalKit } from './portal-kit.ts'

/** The default export of a file with a definition of the operator's own. */
export type PortalModule = (kit: PortalKit) => PortalDefinition

/** The address of a module with some definitions: `builtInPortals`, or a PortalModule as its default. */
export interface ModuleReference {
  module: string
  id: string
}

const modules = new WeakMap<PortalDefinition, string>()

/** Keeps the address of the module that a definition comes from. */
export function registerModule(definition: PortalDefinition, module: string): void {
  modules.set(definition, module)
}

/** Where a thread finds the definition; null for one that was made up on the way, as tests do. */
export function findModule(definition: PortalDefinition): ModuleReference | null {
  const module = modules.get(definition)
  return module === undefined ? null : { module, id: definition.id }
}

/** Loads a definition from its module. Throws if it is not there. */
export async function loadDefinition(
  { module, id }: ModuleReference,
  kit: PortalKit,
): Promise<PortalDefinition> {
  const { builtInPortals, default: make } = (await import(module)) as {
    builtInPortals?: PortalDefinition[]
    default?: PortalModule
  }
  const definition = builtInPortals ? builtInPortals.find(portal => portal.id === id) : await make?.(kit)
  if (!definition) throw new Error(`${module} has no portal ${id}.`)
  return definition
}
