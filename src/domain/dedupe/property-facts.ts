/** What an advert states that tells one property from another. */

/** Null, or missing, is "not stated"; nothing stated is ever changed, for what was understood of it is kept beside it. */
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
  /** Street and number, in whatever order and abbreviation. */
  readonly address: string | null
  readonly municipality: string | null
  readonly postcode: string | null
  /** Without it a telephone counts as an agency's, which stands on many adverts. */
  readonly advertiserType?: 'private' | 'agency' | null
  readonly condition?: string | null
  /** What is stated to be there; a name that is missing means "not stated". */
  readonly features?: readonly string[]
  readonly title?: string | null
  readonly description?: string | null
  /** Absolute URLs. */
  readonly images?: readonly string[]
}
