/** The rows of portal_g's interface: attributes, status and last change of each listing. */
import type { ListingAttributes, SimulatedListing } from '../listing.ts'
import type { World } from '../world.ts'

export interface Row {
  index: number
  attributes: ListingAttributes
  isActive: boolean
  /** Milliseconds since the Unix epoch. */
  modifiedAt: number
  /** The complete listing, generated on first use. */
  readonly listing: SimulatedListing
}

export interface Rows {
  /** Every listing of the country, withdrawn or not. */
  all(): Row[]
  row(index: number): Row
}

interface Change {
  updatedAt: number
  isWithdrawn: boolean
  noticedAt: number
}

/**
 * Creates the rows over `world`. Incremental readers use their own clock, so a change is dated by `now` (milliseconds
 * since the Unix epoch) when it is noticed, not by the fixed clock of the world.
 */
export function createRows(world: World, now: () => number): Rows {
  const positions = [...world.published('ES')]
  const changes = new Map<number, Change>()
  let revision = world.revision()
  function noticeChanges(): void {
    if (world.revision() === revision) return
    revision = world.revision()
    for (const index of positions) {
      const { updatedAt } = world.attributes(index)
      const isWithdrawn = world.isWithdrawn(index)
      const known = changes.get(index)
      const isUnchanged = known
        ? known.updatedAt === updatedAt && known.isWithdrawn === isWithdrawn
        : updatedAt <= world.asOf && !isWithdrawn
      if (!isUnchanged) changes.set(index, { updatedAt, isWithdrawn, noticedAt: now() })
    }
  }
  const row = (index: number): Row => {
    const attributes = world.attributes(index)
    let listing: SimulatedListing | undefined
    return {
      index,
      attributes,
      isActive: !world.isWithdrawn(index),
      modifiedAt: changes.get(index)?.noticedAt ?? attributes.updatedAt,
      get listing() {
        listing ??= world.listing(index)
        return listing
      },
    }
  }
  return {
    all() {
      noticeChanges()
      return positions.map(row)
    },
    row,
  }
}
