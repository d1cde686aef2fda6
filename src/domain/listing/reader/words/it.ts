/** Italian. */
import type { LanguageWords } from './language-words.ts'

export const it: LanguageWords = {
  common: 'il,con,della,di,che,del,per,una,gli,nel,da,sono,alla,dei,e,piu,ed,questo',
  numberOf: 'numero di,numero,n di,n,nr,num,totale',
  labels: {
    price:
      'prezzo,prezzo di vendita,prezzo richiesto,prezzo vendita,importo,a partire da,da,prezzo totale,prezzo immobile,richiesta,prezzo base,offerta minima',
    coldRent:
      'canone,canone mensile,affitto,canone di locazione,affitto mensile,prezzo affitto,locazione,canone affitto,prezzo mensile',
    otherAmount: `spese condominiali,spese condominio,condominio,spese,cauzione,deposito cauzionale,deposito,prezzo al m2,
      prezzo al mq,prezzo m2,prezzo mq,rata,rata mensile,mutuo,rata mutuo,provvigione,imu,spese di riscaldamento,
      spese mensili,prezzo precedente,rendita catastale,costo al mq,anticipo,spese riscaldamento,caparra,importo mutuo`,
    area: `superficie,superficie commerciale,mq,metri quadri,metri quadrati,dimensione,dimensioni,superficie lorda,
      superficie coperta,metratura,superficie immobile,mq commerciali,superficie abitazione,superficie interna,
      mq immobile,superficie abitativa,superficie mq,superfice`,
    usableArea:
      'superficie utile,superficie calpestabile,calpestabili,mq calpestabili,mq utili,superficie netta,superficie abitabile,mq netti',
    totalArea: 'superficie totale,mq totali,superficie complessiva',
    plotArea: `terreno,superficie terreno,terreno di proprieta,lotto,superficie lotto,superficie del terreno,
      mq terreno,superficie fondiaria,terreno mq,appezzamento`,
    otherArea: `terrazzo,terrazza,balcone,balconi,giardino,cucina,soggiorno,cantina,box,garage,mq giardino,mq terrazzo,
      superficie giardino,superficie terrazzo,superficie terrazzi,superficie balconi,mq balconi,superficie box,portico,
      mq terrazzi,salone`,
    rooms: 'locali,vani,stanze,numero locali,locale,n locali,numero vani,totale locali',
    bedrooms: 'camere,camere da letto,camera,camera da letto,numero camere,camere letto,n camere',
    bathrooms: 'bagni,bagno,numero bagni,servizi,n bagni,servizi igienici',
    floor: 'piano,al piano,livello,numero piano,situato al piano,piano immobile,n piano',
    otherCount: `piani,numero piani,totale piani,piani edificio,totale piani edificio,piani totali,posti auto,posto auto,
      box auto,garage posti auto,livelli,visite,foto,ascensori,piani stabile,numero livelli,piani dell edificio,
      esposizione,box posti auto,cucine,unita`,
    yearBuilt:
      'anno di costruzione,anno costruzione,costruito nel,anno,epoca di costruzione,epoca costruzione,data di costruzione,anno immobile',
    condition:
      'stato,stato immobile,stato dell immobile,condizioni,stato di conservazione,condizione,stato di manutenzione,stato conservazione,condizioni immobile,stato manutenzione,stato interno,stato al rogito',
    energyRating: `classe energetica,certificazione energetica,efficienza energetica,prestazione energetica,ape,
      classe,attestato energetico,certificato energetico,classe ape,classificazione energetica,attestato di prestazione energetica,
      cl energetica,c energetica`,
    emissionsRating: 'emissioni,emissioni co2,classe emissioni,emissioni di co2',
    operation:
      'contratto,tipo di contratto,tipo contratto,tipologia contratto,tipo di annuncio,operazione,tipo annuncio,transazione,tipo di offerta,finalita,annuncio',
    type: `tipologia,tipo,tipo immobile,tipologia immobile,tipo di immobile,tipo proprieta,categoria,immobile,
      tipologia di immobile,tipo di proprieta,destinazione d uso,sottotipologia`,
    status: 'disponibilita,stato annuncio,disponibile,disponibilita immobile',
    reference: `riferimento,rif,codice,codice annuncio,riferimento annuncio,codice immobile,id annuncio,rif annuncio,
      riferimento e data annuncio,cod,id,codice riferimento,n riferimento,rif immobile,numero riferimento,cod rif,
      riferimento immobile,codice agenzia`,
    publishedAt:
      'data annuncio,pubblicato,pubblicato il,inserito il,data di pubblicazione,annuncio del,data inserimento,data,data pubblicazione,inserito,pubblicazione',
    updatedAt:
      'aggiornato,aggiornato il,ultimo aggiornamento,data aggiornamento,annuncio aggiornato il,modificato il,ultima modifica',
    advertiserName: `inserzionista,agenzia,agente,venditore,proprietario,agenzia immobiliare,riferimento agente,pubblicato da,
      referente,annuncio di,costruttore,consulente,agente immobiliare,agente di riferimento,proposto da`,
    advertiserPhone:
      'telefono,tel,cellulare,chiama,cell,numero di telefono,recapito telefonico,telefono agenzia',
    advertiserType: 'tipo inserzionista,tipo di inserzionista,annuncio da,tipo venditore',
    address: 'indirizzo,via,strada,indirizzo immobile,indirizzo completo',
    neighbourhood: 'quartiere,zona,localita,frazione,rione,macrozona,zona quartiere,area zona',
    municipality: 'comune,citta,paese,localita comune,comune citta',
    province: 'provincia,regione,prov',
    postcode: 'cap,codice postale,c a p',
    country: 'nazione,paese nazione,stato nazione',
    location: 'posizione,localizzazione,ubicazione,dove si trova,situato a,luogo',
  },
  sections: {
    description: `descrizione,descrizione immobile,dettagli,descrizione dell immobile,descrizione annuncio,
      informazioni,presentazione,descrizione della proprieta,descrizione dettagliata,su questo immobile`,
    features: `caratteristiche,caratteristiche principali,dotazioni,servizi,altre caratteristiche,caratteristiche immobile,
      caratteristiche dell immobile,comfort,accessori,optional,caratteristiche generali,dotazioni e servizi,ulteriori caratteristiche`,
    similar: `annunci simili,immobili simili,case simili,simili,potrebbe interessarti,ti potrebbe interessare,
      altri immobili,altri annunci,immobili correlati,immobili in evidenza,in evidenza,potrebbero interessarti,
      proposte simili,annunci correlati,ti potrebbero interessare,altri annunci dell agenzia,
      immobili recenti,visti di recente,potrebbe anche interessarti,consigliati,ultimi immobili,ricerche correlate`,
    advertiser:
      'inserzionista,contatti,contatta,contatta l inserzionista,agenzia,contatta l agenzia,agente,contattaci',
    location: 'posizione,mappa,dove si trova,zona,localizzazione,ubicazione',
  },
  operation: {
    sale: 'in vendita,vendita,vendesi,vendiamo,acquisto,comprare,vendo,compra,compravendita,acquista,asta,venduto,si vende,vendita all asta,proponiamo in vendita',
    rent: 'in affitto,affitto,affittasi,locazione,in locazione,affittare,affitti,affittiamo,canone,affittato,affitto turistico,si affitta,breve termine',
  },
  subtype: {
    apartment:
      'appartamento,appartamenti,bilocale,trilocale,quadrilocale,plurilocale,pentalocale,appartamento in villa,piano terra appartamento',
    house: `casa,villa,ville,villetta,villette,casa indipendente,villa a schiera,villetta a schiera,casale,rustico,
      casolare,villa bifamiliare,bifamiliare,casa singola,terratetto,villa singola,cascina,baita,trullo,porzione di casa,
      villa unifamiliare,casa semindipendente,schiera,semindipendente,villino,dammuso,masseria,podere,
      terratetto unifamiliare,casa colonica,rustici,chalet,villa plurifamiliare,agriturismo`,
    duplex: 'duplex,su due livelli',
    penthouse: 'attico,attici,superattico',
    studio: 'monolocale,monolocali',
    loft: 'loft,open space,mansarda loft',
    room: 'stanza in affitto,camera in affitto,stanza singola,posto letto,stanza doppia,camera singola,camera doppia,affitto stanza',
    land: 'terreno,terreni,terreno edificabile,terreno agricolo,lotto,lotto di terreno,terreno residenziale',
    building: 'palazzo,edificio,stabile,palazzina,intero stabile,palazzo edificio,palazzi',
    office: 'ufficio,uffici,studio professionale,ufficio coworking',
    premises:
      'negozio,negozi,locale commerciale,capannone,magazzino,laboratorio,attivita commerciale,attivita,fondo commerciale,albergo,ristorante,locali commerciali,capannoni,magazzini,hotel,immobile commerciale',
    garage: 'box,garage,posto auto,box auto,autorimessa,posti auto,box singolo,box doppio,garage posti auto',
    storage: 'cantina,cantine,deposito,soffitta,ripostiglio',
    mobile_home: 'casa mobile,roulotte,prefabbricato',
  },
  condition: {
    new: 'nuovo,nuova,nuova costruzione,in costruzione,nuovo in costruzione,mai abitato,primo ingresso,di nuova costruzione,recente costruzione,nuovo in costruzione',
    good: `buono,ottimo,buono stato,buone condizioni,ottime condizioni,buono abitabile,ottimo ristrutturato,ristrutturato,
      ottimo stato,discreto,abitabile,buone,ottime,buono stato abitabile,ristrutturata,completamente ristrutturato,
      eccellente,in buone condizioni,in ottime condizioni,in buono stato,in ottimo stato,discrete condizioni,perfetto,
      finemente ristrutturato`,
    to_renovate: `da ristrutturare,da rimodernare,da restaurare,da riattare,necessita di lavori,da sistemare,da ammodernare,
      necessita ristrutturazione,rudere,da rinnovare,da risanare,al grezzo,cattivo stato`,
  },
  status: {
    reserved:
      'prenotato,riservato,in trattativa,opzionato,sotto offerta,prenotata,riservata,sotto proposta,proposta accettata',
    withdrawn:
      'venduto,venduta,affittato,affittata,non disponibile,annuncio non piu disponibile,ritirato,locato,annuncio scaduto,annuncio rimosso',
    available: 'disponibile,libero,libera,attivo,libero al rogito,immediata',
  },
  advertiserType: {
    private: 'privato,privata,proprietario,da privato,inserzionista privato,venditore privato',
    agency:
      'agenzia,agenzia immobiliare,immobiliare,professionista,costruttore,impresa,immobiliari,agenzie,studio immobiliare,consulenza immobiliare',
  },
  energy: {
    in_progress:
      'in attesa,in attesa di certificazione,in fase di definizione,in corso,in fase di rilascio,in fase di richiesta,in lavorazione',
    exempt: 'esente,non soggetto,non classificabile,non prevista,esenti,non applicabile,immobile esente',
  },
  period: {
    month: 'mese,al mese,mensile,mensili,mensilmente',
    week: 'settimana,a settimana,settimanale',
    year: 'anno,all anno,annuo,annuale,annui',
    day: 'giorno,al giorno,notte,a notte',
  },
  onRequest:
    'trattativa riservata,prezzo su richiesta,su richiesta,prezzo riservato,info in agenzia,da concordare,prezzo in agenzia,t r',
  yes: 'si,incluso,presente,disponibile',
  no: 'no,assente,nessuno,non presente,nessuna',
}
