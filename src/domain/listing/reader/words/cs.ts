/** Czech, with the Slovak words that differ. */
import type { LanguageWords } from './language-words.ts'

export const cs: LanguageWords = {
  common: 've,se,na,je,pro,nebo,jsou,s,do,k,z,po,od,byt,bytu,a,i,si',
  numberOf: 'pocet,celkovy pocet',
  labels: {
    price:
      'cena,prodejni cena,kupni cena,celkova cena,cena nemovitosti,cena od,cena celkem,nabidkova cena,cena za nemovitost,predajna cena,vyvolavaci cena',
    coldRent:
      'najem,najemne,mesicni najem,cena najmu,cena pronajmu,cena za mesic,mesicni najemne,najomne,cena prenajmu',
    otherAmount: `poplatky,sluzby,energie,kauce,vratna kauce,provize,cena za m2,cena m2,mesicni splatka,splatka,hypoteka,
      poplatky za sluzby,naklady na bydleni,zalohy,fond oprav,puvodni cena,rezervacni poplatek,anuita,depozit,
      splatka hypoteky,mesicni naklady,vratna zaloha,zaloha na sluzby,mesicni poplatky`,
    area: `plocha,uzitna plocha,podlahova plocha,plocha bytu,obytna plocha,uzitkova plocha,velikost,plocha domu,vymera,
      plocha uzitna,celkova podlahova plocha,plocha podlahova,uzitna,uzitna plocha bytu,rozloha,uzitkova plocha`,
    totalArea: 'celkova plocha,plocha celkem,celkova uzitna plocha,celkova vymera,plocha celkova',
    plotArea:
      'plocha pozemku,pozemek,velikost pozemku,plocha parcely,vymera pozemku,celkova plocha pozemku,parcela,pozemok,plocha pozemku celkem',
    otherArea:
      'zastavena plocha,balkon,terasa,sklep,lodzie,zahrada,garaz,plocha lodzie,plocha terasy,plocha balkonu,plocha zahrady,plocha sklepa,kuchyn,plocha garaze,plocha zastavena,plocha zastavby',
    rooms: 'pokoje,pocet pokoju,mistnosti,pocet mistnosti,pocet izieb,izby',
    bedrooms: 'loznice,pocet loznic,spalne,pocet spalni',
    bathrooms: 'koupelny,koupelna,pocet koupelen,kupelne,pocet kupelni',
    typology: 'dispozice,dispozice bytu,dispozicia',
    floor:
      'patro,podlazi,cislo podlazi,umisteni podlazi,poschodi,umisteni v podlazi,poschodie,cislo patra,umisteni v dome,podlazi bytu,patro bytu',
    otherCount:
      'pocet podlazi,pocet podlazi objektu,pocet podlazi v objektu,pater,pocet pater,podlazi celkem,parkovani,parkovaci mista,pocet parkovacich mist,zobrazeni,fotografie,pocet nadzemnich podlazi,pocet podzemnich podlazi,pocet garazi,parkovaci stani,pocet bytu,celkem podlazi,orientace,k nastehovani,datum nastehovani,vytah,pocet wc,nadzemnich podlazi',
    yearBuilt:
      'rok vystavby,rok postaveni,rok kolaudace,postaveno,rok dokonceni,rok stavby,rok vystavby objektu,datum vystavby',
    condition:
      'stav,stav objektu,stav nemovitosti,stav bytu,stav budovy,technicky stav,stav domu,stav stavby',
    energyRating:
      'energeticka narocnost,energeticka trida,energeticka narocnost budovy,trida energeticke narocnosti,penb,energeticky stitek,energeticka narocnost objektu,narocnost budovy,energeticka trieda,energeticky certifikat,ukazatel energeticke narocnosti',
    operation:
      'typ nabidky,druh nabidky,transakce,typ transakce,nabidka,typ obchodu,typ inzeratu,druh transakce,inzerat',
    type: 'typ,typ nemovitosti,druh nemovitosti,druh,kategorie,typ bytu,typ domu,druh objektu,typ objektu,podkategorie,poloha domu,typ budovy,typ pozemku,druh pozemku',
    status: 'dostupnost,status,stav zakazky,stav nabidky,stav inzeratu',
    reference:
      'cislo zakazky,id zakazky,evidencni cislo,id nemovitosti,kod nemovitosti,cislo nabidky,id,kod,zakazka,ev cislo,kod zakazky,cislo inzeratu,evidencni cislo zakazky,id inzeratu,interni cislo,evid cislo,cislo',
    publishedAt: 'vlozeno,datum vlozeni,zverejneno,pridano,datum,datum zverejneni,publikovano,datum pridani',
    updatedAt: 'aktualizace,aktualizovano,datum aktualizace,posledni aktualizace,zmeneno,aktualizovane',
    advertiserName: `makler,realitni kancelar,prodejce,inzerent,realitni makler,prodavajici,kontaktni osoba,nabizi,nemovitost nabizi,majitel,
      vas makler,kancelar,pronajimatel`,
    advertiserPhone: 'telefon,tel,mobil,telefonni cislo,zavolat',
    advertiserType: 'typ inzerenta,typ prodejce',
    address: 'adresa,ulice,ulica',
    neighbourhood: 'mestska cast,cast obce,ctvrt,lokalita cast,mestska ctvrt,sidliste',
    municipality: 'obec,mesto,misto',
    province: 'kraj,okres,region',
    postcode: 'psc',
    country: 'stat,zeme,krajina',
    location: 'lokalita,umisteni,poloha,lokace',
  },
  sections: {
    description:
      'popis,popis nemovitosti,popis zakazky,detaily,o nemovitosti,popis inzeratu,text inzeratu,podrobny popis,popis objektu',
    features:
      'vlastnosti,vybaveni,parametry,zakladni informace,podrobnosti,informace o nemovitosti,detail nemovitosti,charakteristika,parametry nemovitosti,dalsi informace,doplnky',
    similar:
      'podobne nabidky,podobne nemovitosti,podobne inzeraty,dalsi nabidky,podobne,mohlo by vas zajimat,doporucujeme,souvisejici,dalsi nemovitosti,podobne byty,podobne domy,naposledy prohlizene,mohlo by se vam libit,dalsi inzeraty,nejnovejsi nabidky',
    advertiser:
      'makler,kontakt,kontaktujte maklere,prodejce,realitni kancelar,kontaktovat,inzerent,kontaktujte nas',
    location: 'lokalita,mapa,poloha,umisteni,okoli',
  },
  operation: {
    sale: 'prodej,na prodej,k prodeji,prodam,koupe,prodano,predaj,na predaj,prodava se,prodeje,prodat',
    rent: 'pronajem,k pronajmu,na pronajem,pronajmu,najem,pronajmout,podnajem,prenajom,na prenajom,pronajato,pronajmy',
  },
  subtype: {
    apartment: 'byt,bytu,byty,apartman,apartmanu,apartment,bytova jednotka,mezonetovy apartman',
    house:
      'dum,domu,domy,rodinny dum,rodinneho domu,vila,chata,chalupa,radovy dum,rd,rodinny dom,dom,vily,chaty,chalupy,rekreacni objekt,zemedelska usedlost,rodinne domy,usedlost,vidiecky dom,chatu,chalupu,rodinneho',
    duplex: 'mezonet,mezonetovy byt,mezonetu',
    penthouse: 'penthouse,stresni byt',
    studio: 'garsonka,garsoniera,garsonky,studio',
    loft: 'loft,loftovy byt',
    room: 'pronajem pokoje,pokoj k pronajmu,spolubydleni',
    land: 'pozemek,pozemky,pozemku,stavebni pozemek,parcela,pozemok,zahrada na prodej,stavebniho pozemku,lesni pozemek,orna puda',
    building: 'cinzovni dum,bytovy dum,budova,najemni dum,cinzovniho domu',
    office: 'kancelar,kancelare,kancelarske prostory,kancelarskych prostor,ordinace',
    premises:
      'obchodni prostor,komercni,komercni prostor,sklad,obchodni prostory,nebytovy prostor,provozovna,vyrobni hala,restaurace,hotel,penzion,komercni objekt,komercni nemovitost,vyroba,sklady',
    garage: 'garaz,garaze,parkovaci stani,garazove stani,garazoveho stani',
    storage: 'sklep',
    mobile_home: 'mobilni dum,mobilheim,mobilny dom',
  },
  condition: {
    new: 'novostavba,nova,ve vystavbe,novy,developersky projekt,projekt,novostavby,ve vystavbe hruba stavba',
    good: 'dobry,velmi dobry,po rekonstrukci,velmi dobry stav,dobry stav,vyborny,udrzovany,zrekonstruovany,po castecne rekonstrukci,kompletni rekonstrukce,velmi dobre,bezvadny,kompletna rekonstrukcia,udrzovano',
    to_renovate:
      'pred rekonstrukci,k rekonstrukci,spatny,k demolici,vyzaduje rekonstrukci,nutna rekonstrukce,povodny stav,urceny k rekonstrukci,v puvodnim stavu',
  },
  status: {
    reserved: 'rezervovano,rezervace,rezervovane,v rezervaci,rezervovana',
    withdrawn: 'prodano,pronajato,stazeno,neaktivni,neni jiz v nabidce,nabidka ukoncena,predane,prenajate',
    available: 'volne,aktivni,dostupne,k dispozici,ihned,aktualni,volny',
  },
  advertiserType: {
    private: 'soukroma osoba,soukromy inzerent,majitel,primo od majitele,bez realitky,od majitele,soukromnik',
    agency:
      'realitni kancelar,reality,makler,maklere,maklerka,maklerku,rk,developer,realitni makler,realitni',
  },
  energy: { in_progress: 'v priprave,zpracovava se', exempt: 'nevyzaduje se,neni vyzadovano,nepodleha' },
  period: {
    month: 'mesic,mesicne,za mesic,mes',
    week: 'tyden,za tyden,tydne',
    year: 'rok,rocne,za rok',
    day: 'den,noc,za noc,za den,denne',
  },
  onRequest: 'cena na dotaz,na dotaz,info o cene u rk,dohodou,cena dohodou,info v rk,na vyzadani',
  yes: 'ano,je',
  no: 'ne,neni,zadny,bez,nie',
}
