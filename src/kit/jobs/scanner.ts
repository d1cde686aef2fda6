/** Scans for work, one scan at a time. All requests that arrive during a scan lead to one further scan. */
export interface Scanner {
  /** Requests a scan of this tenant, or of all tenants if null. */
  request(tenantId: string | null): void
  /** Resolves when no scan is running. */
  idle(): Promise<void>
}

/** `scan` is called with the requested tenants, or null for all. It must not throw. */
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
