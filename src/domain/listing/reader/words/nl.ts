/** Dutch of the Netherlands and Flanders. */
import type { LanguageWords } from './language-words.ts'

export const nl: LanguageWords = {
  common: 'de,het,een,met,van,voor,is,op,deze,zijn,aan,wordt,ook,naar,en,bij,te,uw',
  numberOf: 'aantal,aant,totaal aantal',
  labels: {
    price:
      'vraagprijs,prijs,koopprijs,koopsom,verkoopprijs,vanaf,vraagprijs vanaf,prijs vanaf,koopsom vanaf,laatste vraagprijs,instelprijs,bieden vanaf',
    coldRent:
      'huurprijs,huur,kale huur,maandhuur,huurprijs per maand,huurprijs vanaf,huur per maand,basishuur',
    warmRent: 'totale huurprijs,huur inclusief,totale huur,huurprijs inclusief',
    otherAmount: `servicekosten,waarborgsom,borg,waarborg,bijdrage vve,vve bijdrage,kosten,syndickosten,vaste kosten,
      prijs per m2,vraagprijs per m2,kadastraal inkomen,onroerende voorheffing,maandlasten,hypotheek,woz waarde,
      erfpacht,oorspronkelijke vraagprijs,gemeenschappelijke kosten,lasten,maandelijkse kosten,servicekosten per maand,ki,
      commissie,bijdrage vereniging van eigenaars,energiekosten,kosten koper,maandelijkse lasten`,
    area: `woonoppervlakte,oppervlakte,bewoonbare oppervlakte,wonen,woonopp,gebruiksoppervlakte wonen,oppervlak,
      woonoppervlak,gebruiksoppervlakte,leefruimte,grootte,vloeroppervlakte,bewoonbare opp,
      bebouwde oppervlakte woning,vierkante meter,kantooroppervlakte,winkeloppervlakte,
      verhuurbare vloeroppervlakte,woningoppervlakte,bewoonbaar`,
    usableArea: 'nuttige oppervlakte,netto oppervlakte,netto vloeroppervlakte,bruikbare oppervlakte',
    totalArea: 'totale oppervlakte,bruto oppervlakte,bruto vloeroppervlakte,bvo,oppervlakte totaal',
    plotArea: `perceel,perceeloppervlakte,perceelgrootte,grondoppervlakte,grond,kavel,kaveloppervlakte,
      terrein,oppervlakte perceel,terreinoppervlakte,oppervlakte grond,oppervlakte terrein,totale grondoppervlakte,
      grootte perceel,oppervlakte van het perceel,kavelgrootte`,
    otherArea: `tuin,terras,balkon,berging,garage,kelder,keuken,woonkamer,gebouwgebonden buitenruimte,externe bergruimte,
      overige inpandige ruimte,oppervlakte tuin,oppervlakte terras,oppervlakte keuken,oppervlakte woonkamer,achtertuin,
      tuinoppervlakte,zolder,gevelbreedte,oppervlakte living,voortuin,bebouwde oppervlakte`,
    rooms: 'kamers,aantal kamers,vertrekken,totaal kamers',
    bedrooms: 'slaapkamers,slaapkamer,aantal slaapkamers,slpk,slpks,slk',
    bathrooms: 'badkamers,badkamer,aantal badkamers,douchekamers,badk',
    floor: 'verdieping,woonlaag,gelegen op,etage,ligging verdieping,op verdieping,bouwlaag,verdiepingsnummer',
    otherCount: `verdiepingen,aantal verdiepingen,woonlagen,aantal woonlagen,bouwlagen,parkeerplaatsen,parking,garages,
      toiletten,toilet,gevels,aantal gevels,fotos,parkeerplekken,wc,aantal toiletten,aantal bouwlagen,aantal foto s,
      aanvaarding,beschikbaar vanaf,beschikbaar per,bekeken,orientatie,aantal parkeerplaatsen,terrassen`,
    yearBuilt: 'bouwjaar,bouwperiode,gebouwd in,jaar van bouw,bouwjaar woning,bouwjaar gebouw',
    condition:
      'staat,onderhoud,staat van onderhoud,staat van het gebouw,onderhoudsstaat,toestand,conditie,onderhoud binnen,algemene staat,staat gebouw,staat woning,soort bouw',
    energyRating:
      'energielabel,energieklasse,epc,epc label,energie label,energieprestatie,energieprestatiecertificaat,epc waarde,energiezuinigheid,energie index label,energieprestatie label',
    emissionsRating: 'co2 uitstoot,uitstoot,emissies',
    operation:
      'aanbod,type aanbod,transactie,soort aanbod,koop of huur,aanbodtype,type transactie,type verkoop',
    type: `type,soort woning,woningtype,type woning,soort,soort woonhuis,soort appartement,categorie,type pand,
      soort object,type vastgoed,objecttype,soort pand,subtype,type eigendom,type bouw,soort object woning,woonhuistype`,
    status: 'status,beschikbaarheid,beschikbaar',
    reference:
      'referentie,ref,referentienummer,objectnummer,advertentienummer,code,referentiecode,immoweb code,id,objectcode,kenmerk,pandnummer,zoekertje id,woningnummer',
    publishedAt:
      'aangeboden sinds,geplaatst,geplaatst op,sinds,datum,online sinds,publicatiedatum,aangemeld sinds,datum plaatsing,aangeboden op',
    updatedAt: 'bijgewerkt,laatst bijgewerkt,gewijzigd,bijgewerkt op,laatste update,laatst gewijzigd',
    advertiserName: `makelaar,aanbieder,verkoper,verhuurder,kantoor,contactpersoon,aangeboden door,verkopend makelaar,
      immokantoor,adverteerder,eigenaar,uw contactpersoon,vastgoedkantoor,vastgoedmakelaar`,
    advertiserPhone: 'telefoon,tel,telefoonnummer,mobiel,bel,gsm,bel ons',
    advertiserType: 'type adverteerder,soort aanbieder,type aanbieder',
    address: 'adres,straat,straatnaam,volledig adres,adres woning',
    neighbourhood: 'buurt,wijk,stadsdeel,buurtnaam,deelgemeente',
    municipality: 'plaats,gemeente,stad,woonplaats,stad gemeente',
    province: 'provincie,regio,gewest',
    postcode: 'postcode,postnummer',
    country: 'land',
    location: 'locatie,ligging,waar',
  },
  sections: {
    description:
      'omschrijving,beschrijving,over deze woning,over dit huis,woningomschrijving,details,over deze woning,objectomschrijving,volledige omschrijving,beschrijving van het pand,toelichting',
    features:
      'kenmerken,eigenschappen,bijzonderheden,voorzieningen,uitrusting,troeven,indeling,overzicht,comfort,algemene kenmerken,faciliteiten,belangrijkste kenmerken',
    similar:
      'vergelijkbare woningen,soortgelijke woningen,soortgelijke panden,bekijk ook,andere woningen,ook interessant,vergelijkbaar aanbod,gelijkaardige panden,recent bekeken,misschien ook interessant,aanbevolen,vergelijkbare panden,meer woningen,anderen bekeken ook,gerelateerd,ander aanbod,gelijkaardige zoekertjes,uitgelicht,woningen in de buurt',
    advertiser:
      'makelaar,aanbieder,contact,contacteer,contactgegevens,aangeboden door,contacteer de adverteerder',
    location: 'locatie,kaart,ligging,buurt,op de kaart',
  },
  operation: {
    sale: 'te koop,koop,verkoop,kopen,koopwoning,te koop aangeboden,verkocht,koopappartement,aankoop,openbare verkoop',
    rent: 'te huur,huur,huren,verhuur,huurwoning,verhuurd,kale huur,te huur aangeboden,huurappartement,huurprijs',
  },
  subtype: {
    apartment: `appartement,appartementen,flat,bovenwoning,benedenwoning,portiekflat,galerijflat,etagewoning,
      gelijkvloers appartement,serviceflat,portiekwoning,beneden bovenwoning,assistentiewoning,gelijkvloers,dakappartement`,
    house: `huis,huizen,woonhuis,eengezinswoning,tussenwoning,hoekwoning,vrijstaande woning,villa,bungalow,herenhuis,
      twee onder een kap,2 onder 1 kap,rijwoning,woning,halfvrijstaande woning,boerderij,woonboerderij,rijhuis,
      half open bebouwing,open bebouwing,landhuis,vakantiewoning,geschakelde woning,eindwoning,grachtenpand,stadswoning,
      twee onder een kapwoning,2 onder 1 kapwoning,bel etage,hoeve,fermette,gesloten bebouwing,landgoed,kasteel,
      woonhuizen,vrijstaand,koppelwoning,burgerhuis,chalet,halfopen bebouwing,drive in woning`,
    duplex: 'duplex,maisonnette,maisonette,triplex',
    penthouse: 'penthouse',
    studio: 'studio,kot',
    loft: 'loft',
    room: 'kamer te huur,studentenkamer,kamer,studentenkot',
    land: 'bouwgrond,grond,perceel,kavel,bouwkavel,landbouwgrond,weiland,projectgrond',
    building: 'gebouw,appartementsgebouw,opbrengsteigendom,appartementencomplex,meergezinswoning,flatgebouw',
    office: 'kantoor,kantoren,kantoorruimte,kantoorgebouw',
    premises:
      'winkel,handelspand,bedrijfsruimte,winkelruimte,magazijn,loods,horeca,handelszaak,winkelpand,bedrijfspand,bedrijfshal,handelsgelijkvloers,hotel,restaurant,opslagplaats',
    garage:
      'garage,parkeerplaats,garagebox,staanplaats,parking,autostaanplaats,parkeergelegenheid,ondergrondse parkeerplaats',
    storage: 'berging,opslagruimte,opslag',
    mobile_home: 'stacaravan,woonboot,woonwagen,mobiele woning',
  },
  condition: {
    new: 'nieuwbouw,nieuw,nieuwbouwproject,in aanbouw,als nieuw,zo goed als nieuw,nieuwe woning,nieuwbouwwoning',
    good: 'goed,goede staat,uitstekend,gerenoveerd,instapklaar,goed onderhouden,redelijk tot goed,zeer goed,goed tot uitstekend,uitstekende staat,gemoderniseerd,pas gerenoveerd,in goede staat,instapklare',
    to_renovate:
      'te renoveren,op te knappen,kluswoning,op te frissen,te restaureren,te moderniseren,renovatie nodig,klushuis,matig,slecht,te verbouwen,volledig te renoveren,slecht tot matig',
  },
  status: {
    reserved:
      'onder bod,onder optie,verkocht onder voorbehoud,verhuurd onder voorbehoud,gereserveerd,onder voorbehoud,in optie,bod aanvaard',
    withdrawn: 'verkocht,verhuurd,ingetrokken,niet meer beschikbaar,niet langer beschikbaar,gearchiveerd',
    available: 'beschikbaar,vrij,direct,per direct,onmiddellijk,bij akte,in overleg,direct beschikbaar',
  },
  advertiserType: {
    private: 'particulier,eigenaar,particuliere verkoper,particuliere aanbieder',
    agency:
      'makelaar,makelaardij,makelaars,vastgoed,immo,immobilien,zakelijk,professioneel,vastgoedmakelaar,immokantoor,wonen makelaardij,projectontwikkelaar,verhuurmakelaar',
  },
  energy: {
    in_progress: 'in aanvraag,aangevraagd,in behandeling',
    exempt: 'niet verplicht,vrijgesteld,niet van toepassing',
  },
  period: {
    month: 'maand,per maand,maandelijks,p m,mnd',
    week: 'week,per week,wekelijks',
    year: 'jaar,per jaar,jaarlijks',
    day: 'dag,per dag,nacht,per nacht',
  },
  onRequest: 'prijs op aanvraag,op aanvraag,prijs op verzoek,op verzoek,nader overeen te komen',
  yes: 'ja,aanwezig,inbegrepen',
  no: 'nee,neen,geen,niet aanwezig',
}
