/** What is above all sections: whose report it is, and of what. */
import type { Edition } from './edition.ts'
import { printable } from './markup.ts'

export interface Letterhead {
  title: string
  /** The property, and when it is valued. */
  subtitles: string[]
  agency: string | null
  contacts: string[]
}

export function letterheadOf({ report, words, formats }: Edition): Letterhead {
  const { branding, config } = report
  const said = (text: string | null) => (text !== null && printable(text) !== '' ? [printable(text)] : [])
  const kind = words.title[report.operation]
  const names = [...said(report.name), ...(config.showAddress ? said(report.address) : [])]
  const dated = `${words.valuedOn}: ${formats.date(report.asOf)}`
  return {
    title: names[0] ?? kind,
    subtitles: names.length > 0 ? [...names.slice(1), `${kind}. ${dated}`] : [dated],
    agency: said(branding.name)[0] ?? null,
    contacts: [branding.phone, branding.email, branding.website].flatMap(said),
  }
}
