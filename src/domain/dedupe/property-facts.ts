/** The facts of a listing that distinguish one property from another. */

/** Null or missing means "not stated". Objects must not be modified, because their analysis is cached. */
export interface PropertyFacts {
  /** E.164. */
  readonly phone: string | null
  readonly operation: string | null
  readonly propertyType: string | null
  readonly squareMeters: number | null
  /** Major units; per month when the operation is rent. */
  readonly price: number | null
  readonly bedrooms: number | null
  readonly bathrooms: number | null
  /** 0 is the ground floor, 0.5 a mezzanine. */
  readonly floor: number | null
  /** Degrees, WGS 84. */
  readonly latitude: number | null
  readonly longitude: number | null
  /** Street and number, in any order and abbreviation. */
  readonly address: string | null
  readonly municipality: string | null
  readonly postcode: string | null
  /** If missing, the phone is treated as an agency's, which occurs in many listings. */
  readonly advertiserType?: 'private' | 'agency' | null
  readonly condition?: string | null
  /** Stated features. A missing name means "not stated". */
  readonly features?: readonly string[]
  readonly title?: string | null
  readonly description?: string | null
  /** Absolute URLs. */
  readonly images?: readonly string[]
}
