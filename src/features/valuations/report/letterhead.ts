/** What is around all sections: whose report it is, of what, and what it is not. */
import type { Edition } from './edition.ts'

export interface Letterhead {
  title: string
  /** The property, and when it is valued. */
  subtitles: string[]
  agency: string | null
  contacts: string[]
  /** That this is no official appraisal, and of what prices it is. */
  footNote: string
}

export function letterheadOf({ report, words, formats, shown }: Edition): Letterhead {
  const { branding, config } = report
  const said = (text: string | null) => (text !== null && shown(text) !== '' ? [shown(text)] : [])
  const kind = words.title[report.operation]
  const names = [...said(report.name), ...(config.showAddress ? said(report.address) : [])]
  const dated = `${words.valuedOn}: ${formats.date(report.asOf)}`
  return {
    title: names[0] ?? kind,
    subtitles: names.length > 0 ? [...names.slice(1), `${kind}. ${dated}`] : [dated],
    agency: said(branding.name)[0] ?? null,
    contacts: [branding.phone, branding.email, branding.website].flatMap(said),
    footNote: `${words.disclaimer} ${words.basis[report.priceBasis][report.operation]}`,
  }
}
