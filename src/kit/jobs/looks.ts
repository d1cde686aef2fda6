/** Looks for work, one after the other: notices that come during one look lead to one more, however many they are. */
export interface Looks {
  /** Looks at this tenant soon; null: at all tenants. */
  want(tenantId: string | null): void
  /** Resolves when no look is under way. */
  ended(): Promise<void>
}

/** `look` is called with the tenants that were named, or null for all. It must not throw. */
export function createLooks(look: (tenantIds: string[] | null) => Promise<void>, signal: AbortSignal): Looks {
  const wanted = new Set<string | null>()
  let looking: Promise<void> | null = null
  const lookAtWanted = async () => {
    while (wanted.size > 0 && !signal.aborted) {
      const tenantIds = [...wanted]
      wanted.clear()
      await look(tenantIds.includes(null) ? null : (tenantIds as string[]))
    }
    looking = null
  }
  return {
    want(tenantId) {
      wanted.add(tenantId)
      looking ??= lookAtWanted()
    },
    async ended() {
      await looking
    },
  }
}
