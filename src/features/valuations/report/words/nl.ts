/** The texts of reports in Dutch. */
import type { ReportWords } from '../words.ts'

export const nl: ReportWords = {
  title: { sale: 'Prijsindicatie', rent: 'Huurprijsindicatie' },
  disclaimer: 'Vrijblijvende prijsindicatie: dit is geen taxatierapport.',
  section: {
    summary: 'Samenvatting',
    map: 'Waar de referentieobjecten liggen',
    comparables: 'Referentieobjecten',
    adjustments: 'De berekening, stap voor stap',
    distribution: 'Prijzen per m² in de omgeving',
    trend: 'Ontwikkeling van de prijs per m²',
    method: 'Zo is gerekend',
  },
  estimated: {
    asking: { sale: 'Geschatte vraagprijs', rent: 'Geschatte vraaghuur' },
    closed: { sale: 'Geschatte verkoopprijs', rent: 'Geschatte huur' },
  },
  thePrice: {
    asking: { sale: 'de vraagprijs', rent: 'de vraaghuur' },
    closed: { sale: 'de verkoopprijs', rent: 'de overeengekomen huur' },
  },
  price: {
    asking: { sale: 'Vraagprijs', rent: 'Vraaghuur' },
    closed: { sale: 'Verkoopprijs', rent: 'Overeengekomen huur' },
  },
  basis: {
    asking: {
      sale: 'Gebaseerd op vraagprijzen uit advertenties, niet op verkoopprijzen.',
      rent: 'Gebaseerd op maandelijkse vraaghuren uit advertenties, niet op getekende huurcontracten.',
    },
    closed: {
      sale: 'Gebaseerd op prijzen van afgeronde verkopen.',
      rent: 'Gebaseerd op maandhuren uit getekende huurcontracten.',
    },
  },
  oldPrices: (newest, month, median) =>
    `De recentste van de gebruikte prijzen is ${newest} oud (${month}) en de helft minstens ${median}: de markt kan sindsdien zijn veranderd.`,
  widerForAge: 'De bandbreedte is daarom ruimer.',
  range: coverage => `Waarschijnlijke bandbreedte (${coverage})`,
  pricePerSquareMeter: 'Prijs per m²',
  confidence: 'Betrouwbaarheid',
  confidenceLevel: { high: 'Hoog', medium: 'Gemiddeld', low: 'Laag' },
  valuedOn: 'Peildatum',
  issuedOn: 'Datum van afgifte',
  thisProperty: 'Dit object',
  column: {
    seen: { asking: 'Laatst gezien', closed: 'Transactie' },
    distance: 'Afstand',
    area: 'Oppervlakte',
    characteristics: 'Kenmerken',
    adjustedPrice: 'Gecorrigeerde prijs',
    weight: 'Gewicht',
    share: 'Gecorrigeerde prijs × gewicht',
  },
  factor: {
    time: 'Datum',
    place: 'Ligging',
    size: 'Oppervlakte',
    plot: 'Perceel',
    bedrooms: 'Slaapkamers',
    bathrooms: 'Badkamers',
    condition: 'Staat',
    floor: 'Verdieping',
    lift: 'Lift',
    amenities: 'Kenmerken',
    yearBuilt: 'Bouwjaar',
    subtype: 'Type',
    unexplained: 'Overig',
  },
  adjustmentsIntro:
    'Elke prijs wordt verhoogd of verlaagd met wat dat referentieobject minder of meer heeft dan dit object. Onder elk bedrag staat in grijs het gegeven van het referentieobject. De gecorrigeerde prijs, vermenigvuldigd met het gewicht, is de bijdrage aan de schatting.',
  unexplainedIntro:
    '‘Overig’ is wat de bekende gegevens niet verklaren van de prijs van een referentieobject (lichtinval, geluid, haast om te verkopen): slechts een deel daarvan telt mee voor dit object. Eronder staat hoeveel procent van de prijs het was.',
  sum: 'Totaal',
  rounded: 'Schatting, afgerond',
  scaleCaption:
    'De balk is de bandbreedte, de streep de schatting. Elke cirkel is de gecorrigeerde prijs van een referentieobject, met zijn nummer.',
  mapCaption:
    'Het huisje geeft dit object aan. Elke cirkel is een referentieobject, met zijn nummer in de tabel; hoe groter, hoe zwaarder het meetelt. Het noorden is boven, de kaart is op schaal.',
  mapBeyond:
    'Referentieobjecten met een pijl liggen buiten de kaart, in die richting en op de vermelde afstand.',
  count: { asking: 'Aantal advertenties', closed: 'Aantal transacties' },
  distributionCaption: {
    asking: 'Hoeveel advertenties in de omgeving welke prijs per m² vragen.',
    closed: 'Hoeveel transacties er in de omgeving waren voor welke prijs per m².',
  },
  beyondAxis: count => `Buiten de schaal: ${count}.`,
  trendCaption: {
    asking: 'Elke stip is een advertentie; de lijn verbindt de medianen per maand.',
    closed: 'Elke stip is een transactie; de lijn verbindt de medianen per maand.',
  },
  tooFewMonths:
    'De gegevens van de omgeving zijn van minder dan drie verschillende maanden: te weinig om een ontwikkeling te tonen.',
  noPrices: 'Er zijn geen prijzen uit de omgeving om te tonen.',

  method: {
    how: 'Er wordt gezocht naar vergelijkbare objecten in de buurt. Hun prijzen worden gecorrigeerd voor de verschillen met dit object: datum, ligging, oppervlakte en andere kenmerken. De schatting is het gewogen gemiddelde van die gecorrigeerde prijzen; de meest vergelijkbare objecten wegen het zwaarst.',
    counts: (used, considered) =>
      `Er zijn ${considered} objecten bekeken, waarvan er ${used} ${used === 1 ? 'meetelt' : 'meetellen'}.`,
    chosen: 'De gebruikte referentieobjecten zijn gekozen door de opdrachtgever.',
    leftOut: 'Niet meegeteld',
    exclusion: {
      excluded_by_request: 'Uitgesloten door de opdrachtgever',
      not_chosen: 'Niet gekozen door de opdrachtgever',
      less_similar: 'Minder vergelijkbaar dan de gebruikte objecten',
      same_property: 'Advertentie van dit object zelf',
      implausible_price: 'Met een onwaarschijnlijke prijs',
    },
    range: (coverage, price, low, high) =>
      `De bandbreedte betekent dat in ${coverage} van de gevallen als dit ${price} tussen ${low} en ${high} ligt. Ze is ruimer als er weinig of minder vergelijkbare objecten zijn.`,
    currency: 'Valuta',
    deviation: 'Verwachte standaarddeviatie',
    adjustments: 'Correcties',
    calibrated: date => `op ${date} gekalibreerd op deze markt`,
    uncalibrated: 'gebruikelijke waarden, nog niet gekalibreerd op deze markt',
  },
}
