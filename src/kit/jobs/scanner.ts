/** Looks for work, one after the other: notices that come during one look lead to one more, however many they are. */
export interface Scanner {
  /** Looks at this tenant soon; null: at all tenants. */
  request(tenantId: string | null): void
  /** Resolves when no look is under way. */
  idle(): Promise<void>
}

/** `scan` is called with the tenants that were named, or null for all. It must not throw. */
export function createScanner(
  scan: (tenantIds: string[] | null) => Promise<void>,
  signal: AbortSignal,
): Scanner {
  const requested = new Set<string | null>()
  let scanning: Promise<void> | null = null
  const scanRequested = async () => {
    while (requested.size > 0 && !signal.aborted) {
      const tenantIds = [...requested]
      requested.clear()
      await scan(tenantIds.includes(null) ? null : (tenantIds as string[]))
    }
    scanning = null
  }
  return {
    request(tenantId) {
      requested.add(tenantId)
      scanning ??= scanRequested()
    },
    async idle() {
      await scanning
    },
  }
}
