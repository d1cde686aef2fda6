/** A listing as portal_g's interface sees it: its figures, whether it is still offered, and when it last changed. */
import type { ListingAttributes, SimulatedListing } from '../listing.ts'
import type { World } from '../world.ts'

export interface Row {
  index: number
  attributes: ListingAttributes
  isActive: boolean
  /** Milliseconds since 1970. */
  modifiedAt: number
  /** The whole listing, made up when it is first asked for. */
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
 * The rows over `world`. Whoever reads only what has changed asks by his own clock, so a change is dated by `now`
 * (milliseconds since 1970), when it is noticed, and not by the clock of the world, which stands still.
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
