/** The texts of reports in German. */
import type { ReportWords } from '../words.ts'

export const de: ReportWords = {
  title: { sale: 'Preiseinschätzung', rent: 'Mietpreiseinschätzung' },
  disclaimer: 'Unverbindliche Preiseinschätzung; sie ist kein Verkehrswertgutachten und ersetzt keines.',
  section: {
    summary: 'Auf einen Blick',
    map: 'Lage der Vergleichsobjekte',
    comparables: 'Vergleichsobjekte',
    adjustments: 'Die Rechnung, Schritt für Schritt',
    distribution: 'Preise pro m² in der Umgebung',
    trend: 'Entwicklung des Preises pro m²',
    method: 'So wurde gerechnet',
  },
  estimated: {
    asking: { sale: 'Geschätzter Angebotspreis', rent: 'Geschätzte Angebotsmiete' },
    closed: { sale: 'Geschätzter Kaufpreis', rent: 'Geschätzte Miete' },
  },
  thePrice: {
    asking: { sale: 'der Angebotspreis', rent: 'die Angebotsmiete' },
    closed: { sale: 'der Kaufpreis', rent: 'die Vertragsmiete' },
  },
  price: {
    asking: { sale: 'Angebotspreis', rent: 'Angebotsmiete' },
    closed: { sale: 'Kaufpreis', rent: 'Vertragsmiete' },
  },
  basis: {
    asking: {
      sale: 'Grundlage sind Angebotspreise aus Inseraten, keine tatsächlich gezahlten Kaufpreise.',
      rent: 'Grundlage sind monatliche Angebotsmieten aus Inseraten, keine Mieten aus abgeschlossenen Verträgen.',
    },
    closed: {
      sale: 'Grundlage sind Kaufpreise abgeschlossener Verkäufe.',
      rent: 'Grundlage sind monatliche Mieten aus abgeschlossenen Verträgen.',
    },
  },
  oldPrices: (newest, month, median) =>
    `Der jüngste der verwendeten Preise ist ${newest} alt (${month}), die Hälfte mindestens ${median}: Seither kann sich der Markt verändert haben.`,
  widerForAge: 'Die Spanne ist deshalb breiter.',
  range: coverage => `Wahrscheinliche Spanne (${coverage})`,
  pricePerSquareMeter: 'Preis pro m²',
  confidence: 'Verlässlichkeit',
  confidenceLevel: { high: 'Hoch', medium: 'Mittel', low: 'Gering' },
  valuedOn: 'Stichtag',
  issuedOn: 'Ausgestellt am',
  thisProperty: 'Diese Immobilie',
  column: {
    seen: { asking: 'Zuletzt online', closed: 'Abschluss' },
    distance: 'Entfernung',
    area: 'Fläche',
    characteristics: 'Merkmale',
    adjustedPrice: 'Bereinigter Preis',
    weight: 'Gewicht',
    share: 'Bereinigter Preis × Gewicht',
  },
  factor: {
    time: 'Zeitpunkt',
    place: 'Lage',
    size: 'Fläche',
    plot: 'Grundstück',
    bedrooms: 'Schlaf\u00adzimmer',
    bathrooms: 'Bäder',
    condition: 'Zustand',
    floor: 'Etage',
    lift: 'Aufzug',
    amenities: 'Ausstattung',
    yearBuilt: 'Baujahr',
    subtype: 'Objekttyp',
    unexplained: 'Sonstiges',
  },
  adjustmentsIntro:
    'Jeder Preis wird um das erhöht oder vermindert, was das Vergleichsobjekt weniger oder mehr bietet als diese Immobilie. Unter jedem Betrag steht in Grau die Angabe zum Vergleichsobjekt. Der bereinigte Preis, multipliziert mit seinem Gewicht, ist der Beitrag zum Schätzwert.',
  unexplainedIntro:
    '„Sonstiges“ ist, was die bekannten Angaben am Preis eines Vergleichsobjekts nicht erklären (Helligkeit, Lärm, Zeitdruck beim Verkauf …): Nur ein Teil davon wird auf diese Immobilie übertragen. Darunter steht sein Anteil am Preis.',
  sum: 'Summe',
  rounded: 'Schätzwert, gerundet',
  scaleCaption:
    'Der Balken ist die Spanne, der Strich der Schätzwert. Jeder Kreis ist der bereinigte Preis eines Vergleichsobjekts mit seiner Nummer.',
  mapCaption:
    'Das Haus steht für diese Immobilie. Jeder Kreis ist ein Vergleichsobjekt mit seiner Nummer aus der Tabelle; je größer, desto mehr Gewicht hat es. Norden ist oben, die Karte ist maßstäblich.',
  mapBeyond:
    'Vergleichsobjekte mit Pfeil liegen außerhalb der Karte, in dieser Richtung und in der angegebenen Entfernung.',
  count: { asking: 'Anzahl der Inserate', closed: 'Anzahl der Abschlüsse' },
  distributionCaption: {
    asking: 'Wie viele Inserate der Umgebung welchen Preis pro m² verlangen.',
    closed: 'Wie viele Abschlüsse es in der Umgebung zu welchem Preis pro m² gab.',
  },
  beyondAxis: count => `Außerhalb der Skala: ${count}.`,
  trendCaption: {
    asking: 'Jeder Punkt ist ein Inserat; die Linie verbindet die Mediane der Monate.',
    closed: 'Jeder Punkt ist ein Abschluss; die Linie verbindet die Mediane der Monate.',
  },
  tooFewMonths:
    'Die Daten der Umgebung stammen aus weniger als drei verschiedenen Monaten: zu wenig, um eine Entwicklung zu zeigen.',
  noPrices: 'Aus der Umgebung liegen keine Preise vor.',

  method: {
    how: 'Gesucht werden ähnliche Objekte in der Nähe. Ihre Preise werden um die Unterschiede zu dieser Immobilie bereinigt: Zeitpunkt, Lage, Fläche und weitere Merkmale. Der Schätzwert ist das gewichtete Mittel der bereinigten Preise; je ähnlicher ein Objekt, desto mehr zählt es.',
    counts: (used, considered) =>
      `Von ${considered} betrachteten Objekten ${used === 1 ? 'geht eines' : `gehen ${used}`} in die Rechnung ein.`,
    chosen: 'Die verwendeten Vergleichsobjekte hat der Auftraggeber ausgewählt.',
    leftOut: 'Nicht berücksichtigt',
    exclusion: {
      excluded_by_request: 'Vom Auftraggeber ausgeschlossen',
      not_chosen: 'Vom Auftraggeber nicht ausgewählt',
      less_similar: 'Weniger ähnlich als die verwendeten',
      same_property: 'Inserat dieser Immobilie selbst',
      implausible_price: 'Mit unplausiblem Preis',
    },
    range: (coverage, price, low, high) =>
      `Die Spanne bedeutet: In ${coverage} vergleichbarer Fälle liegt ${price} zwischen ${low} und ${high}. Sie ist breiter, wenn es wenige oder weniger ähnliche Vergleichsobjekte gibt.`,
    currency: 'Währung',
    deviation: 'Erwartete Standardabweichung',
    adjustments: 'Zu- und Abschläge',
    calibrated: date => `am ${date} an diesem Markt kalibriert`,
    uncalibrated: 'übliche Ansätze, noch nicht an diesem Markt kalibriert',
  },
}
