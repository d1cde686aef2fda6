// An advert as portal_g's interface sees it: its figures, whether it is still offered, and when it last changed.
import type { Advert, Figures } from '../advert.ts'
import type { World } from '../world.ts'

export interface Row {
  index: number
  figures: Figures
  isActive: boolean
  /** Milliseconds since 1970. */
  modifiedAt: number
  /** The whole advert, made up when it is first asked for. */
  readonly advert: Advert
}

export interface Rows {
  /** Every advert of the country, withdrawn or not. */
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
      const { updatedAt } = world.figures(index)
      const isWithdrawn = world.isWithdrawn(index)
      const known = changes.get(index)
      const isAsBefore = known
        ? known.updatedAt === updatedAt && known.isWithdrawn === isWithdrawn
        : updatedAt <= world.asOf && !isWithdrawn
      if (!isAsBefore) changes.set(index, { updatedAt, isWithdrawn, noticedAt: now() })
    }
  }
  const row = (index: number): Row => {
    const figures = world.figures(index)
    let advert: Advert | undefined
    return {
      index,
      figures,
      isActive: !world.isWithdrawn(index),
      modifiedAt: changes.get(index)?.noticedAt ?? figures.updatedAt,
      get advert() {
        advert ??= world.advert(index)
        return advert
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
