/** The texts of reports in French. */
import type { ReportWords } from '../words.ts'

export const fr: ReportWords = {
  title: { sale: 'Estimation indicative du prix', rent: 'Estimation indicative du loyer' },
  disclaimer: 'Estimation donnée à titre indicatif : elle ne constitue pas une expertise immobilière.',
  section: {
    summary: 'Synthèse',
    map: 'Où se trouvent les biens comparables',
    comparables: 'Biens comparables',
    adjustments: 'Le calcul, pas à pas',
    distribution: 'Prix au m² dans le secteur',
    trend: 'Évolution du prix au m²',
    method: 'Comment l’estimation est calculée',
  },
  estimated: {
    asking: { sale: 'Prix affiché estimé', rent: 'Loyer affiché estimé' },
    closed: { sale: 'Prix de vente estimé', rent: 'Loyer estimé' },
  },
  thePrice: {
    asking: { sale: 'le prix affiché', rent: 'le loyer affiché' },
    closed: { sale: 'le prix de vente', rent: 'le loyer contractuel' },
  },
  price: {
    asking: { sale: 'Prix affiché', rent: 'Loyer affiché' },
    closed: { sale: 'Prix de vente', rent: 'Loyer contractuel' },
  },
  basis: {
    asking: {
      sale: 'Établie à partir de prix affichés dans des annonces, et non de prix de vente.',
      rent: 'Établie à partir de loyers mensuels affichés dans des annonces, et non de baux signés.',
    },
    closed: {
      sale: 'Établie à partir de prix de ventes conclues.',
      rent: 'Établie à partir de loyers mensuels de baux signés.',
    },
  },
  oldPrices: (newest, month, median) =>
    `Le plus récent des prix retenus remonte à ${newest} (${month}) et la moitié à au moins ${median} : le marché a pu évoluer depuis.`,
  widerForAge: 'La fourchette est élargie en conséquence.',
  range: coverage => `Fourchette probable (${coverage})`,
  pricePerSquareMeter: 'Prix au m²',
  confidence: 'Fiabilité',
  confidenceLevel: { high: 'Élevée', medium: 'Moyenne', low: 'Faible' },
  valuedOn: 'Date de l’estimation',
  issuedOn: 'Date d’émission',
  thisProperty: 'Ce bien',
  column: {
    seen: { asking: 'Vu', closed: 'Conclu' },
    distance: 'Distance',
    area: 'Surface',
    characteristics: 'Caractéristiques',
    adjustedPrice: 'Prix ajusté',
    weight: 'Poids',
    share: 'Prix ajusté × poids',
  },
  factor: {
    time: 'Date',
    place: 'Emplacement',
    size: 'Surface',
    plot: 'Terrain',
    bedrooms: 'Chambres',
    bathrooms: 'Salles de bains',
    condition: 'État',
    floor: 'Étage',
    lift: 'Ascenseur',
    amenities: 'Prestations',
    yearBuilt: 'Année',
    subtype: 'Catégorie',
    unexplained: 'Autres causes',
  },
  adjustmentsIntro:
    'Chaque prix est majoré ou minoré de ce que le bien comparable a en moins ou en plus par rapport à ce bien. Sous chaque montant figure, en gris, la donnée du bien comparable. Le prix ajusté, multiplié par son poids, est sa contribution à l’estimation.',
  unexplainedIntro:
    '« Autres causes » est ce que les données connues n’expliquent pas du prix d’un bien comparable (luminosité, bruit, vente pressée…) : seule une partie en est reportée sur ce bien. En dessous figure le pourcentage du prix qu’elle représentait.',
  sum: 'Somme',
  rounded: 'Estimation, arrondie',
  scaleCaption:
    'La barre est la fourchette, le trait l’estimation. Chaque cercle est le prix ajusté d’un bien comparable, avec son numéro.',
  mapCaption:
    'La maison indique ce bien. Chaque cercle est un bien comparable, avec son numéro dans le tableau ; plus il est grand, plus il pèse dans l’estimation. Nord en haut, à l’échelle.',
  mapBeyond:
    'Les biens comparables avec une flèche sont hors de la carte, dans cette direction et à la distance indiquée.',
  count: { asking: 'Nombre d’annonces', closed: 'Nombre de transactions' },
  distributionCaption: {
    asking: 'Combien d’annonces du secteur affichent chaque prix au m².',
    closed: 'Combien de transactions du secteur ont été conclues à chaque prix au m².',
  },
  beyondAxis: count => `Hors de l’échelle : ${count}.`,
  trendCaption: {
    asking: 'Chaque point est une annonce ; la ligne relie les médianes mensuelles.',
    closed: 'Chaque point est une transaction ; la ligne relie les médianes mensuelles.',
  },
  tooFewMonths:
    'Les données du secteur couvrent moins de trois mois différents : trop peu pour montrer une évolution.',
  noPrices: 'Aucun prix du secteur à montrer.',

  method: {
    how: 'Des biens semblables sont recherchés à proximité. Le prix de chacun est ajusté selon ce qui le distingue de ce bien : date, emplacement, surface et autres caractéristiques. L’estimation est la moyenne de ces prix ajustés, où les biens les plus semblables pèsent le plus.',
    counts: (used, considered) =>
      `${considered} biens ont été examinés, dont ${used} ${used === 1 ? 'entre' : 'entrent'} dans le calcul.`,
    chosen: 'Les biens comparables retenus ont été choisis par la personne qui a commandé l’estimation.',
    leftOut: 'Biens écartés',
    exclusion: {
      excluded_by_request: 'Écartés à la demande de la personne qui a commandé l’estimation',
      not_chosen: 'Non choisis par la personne qui a commandé l’estimation',
      less_similar: 'Moins semblables que les biens retenus',
      same_property: 'Annonce de ce même bien',
      implausible_price: 'Prix peu vraisemblable',
    },
    range: (coverage, price, low, high) =>
      `La fourchette signifie que, dans ${coverage} des cas comme celui-ci, ${price} se situe entre ${low} et ${high}. Elle est plus large quand les biens comparables sont peu nombreux ou moins semblables.`,
    currency: 'Devise',
    deviation: 'Écart-type prévu',
    adjustments: 'Ajustements',
    calibrated: date => `calibrés sur ce marché le ${date}`,
    uncalibrated: 'usuels, pas encore calibrés sur ce marché',
  },
}
