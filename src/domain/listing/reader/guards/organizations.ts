/** What structured data state about agencies and portals: their postcodes and points are not those of the listing. */
import { getTypes, isNode, toList } from '../../json-ld.ts'

const organizationTypes =
  /^(?:Organization|Corporation|LocalBusiness|RealEstateAgent|RealEstateAgency|NewsMediaOrganization|WebSite|Brand|ProfessionalService)$/
const visitsMax = 20_000
const depthMax = 12

export interface OrganizationFacts {
  postcodes: ReadonlySet<string>
  degrees: ReadonlySet<number>
}

/** One pass over the JSON-LD of a page. */
export function collectOrganizationFacts(blocks: readonly unknown[]): OrganizationFacts {
  const postcodes = new Set<string>()
  const degrees = new Set<number>()
  let visits = visitsMax
  const visit = (value: unknown, depth: number) => {
    visits -= 1
    if (visits < 0 || depth > depthMax) return
    if (Array.isArray(value)) for (const item of value) visit(item, depth + 1)
    if (!isNode(value)) return
    if (getTypes(value).some(type => organizationTypes.test(type))) {
      for (const address of toList(value.address).filter(isNode))
        if (address.postalCode) postcodes.add(String(address.postalCode).trim())
      for (const point of toList(value.geo).filter(isNode))
        for (const degree of [Number(point.latitude), Number(point.longitude)])
          if (Number.isFinite(degree)) degrees.add(degree)
    }
    for (const member of Object.values(value)) if (typeof member === 'object') visit(member, depth + 1)
  }
  visit(blocks, 0)
  return { postcodes, degrees }
}
