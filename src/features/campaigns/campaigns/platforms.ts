/** The sources of campaigns. */
import type { Portals } from '../../platforms/service.ts'

/** Sources besides the portals. */
export const otherSources = ['csv_import', 'widget', 'social_ads'] as const

export const csvImport = 'csv_import'
export const socialAds = 'social_ads'
/** Also the kind of the links that have its key. */
export const widgetPlatform = 'widget'

/** People of these sources left their data to be contacted. */
const contactOnly: readonly string[] = ['csv_import', 'widget']

/** Returns whether the mode of campaigns of the source is always `extract_and_contact`. */
export const isContactOnly = (platform: string): boolean => contactOnly.includes(platform)

/** The portals of which campaigns can be. */
export const listCampaignPortals = (portals: Portals): string[] =>
  portals
    .list()
    .filter(({ capabilities }) => capabilities.campaign)
    .map(({ id }) => id)

export const isPortal = (platform: string): boolean => !(otherSources as readonly string[]).includes(platform)
