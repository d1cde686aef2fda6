/** French of France, Belgium and Switzerland. */
import type { LanguageWords } from './language-words.ts'

export const fr: LanguageWords = {
  common: 'le,les,des,avec,pour,une,et,du,est,dans,sur,vous,au,ce,cette,la,aux,un',
  numberOf: 'nombre de,nombre d,nb de,nb,nbre de,nb d,nombre total de',
  labels: {
    price: `prix,prix de vente,prix du bien,prix demande,montant,prix de vente fai,prix fai,a partir de,prix total,prix net vendeur,
      prix honoraires inclus,mise a prix,prix d achat,prix hai,prix net,prix affiche`,
    coldRent:
      'loyer,loyer mensuel,loyer hors charges,loyer hc,loyer mensuel hors charges,loyer net,loyer nu,prix du loyer,loyer de base',
    warmRent: 'loyer charges comprises,loyer cc,loyer mensuel charges comprises,total mensuel,loyer brut',
    otherAmount: `charges,charges mensuelles,depot de garantie,caution,honoraires,honoraires charge locataire,frais d agence,
      taxe fonciere,prix au m2,prix m2,prix du m2,charges de copropriete,provision sur charges,garantie,mensualite,
      frais de notaire,revenu cadastral,precompte immobilier,charges locatives,etat des lieux,frais,charges communes,
      charges annuelles,depenses energetiques,estimation des couts,ancien prix,taxe d habitation,honoraires etat des lieux,
      quote part annuelle,complement de loyer,loyer de reference,apport,consignation,frais de dossier`,
    area: `surface,surface habitable,superficie,surface du bien,surface totale habitable,superficie habitable,
      surface loi carrez,loi carrez,surface carrez,surface interieure,surf habitable,shab,surface au sol,
      surface bati,taille,metres carres,surface de la maison,surface de l appartement,habitable,surface env`,
    usableArea: 'surface utile,superficie utile,surface utilisable,surface nette',
    totalArea: 'surface totale,superficie totale,surface brute,surface totale du bien',
    plotArea: `terrain,surface terrain,surface du terrain,superficie du terrain,superficie terrain,parcelle,
      surface de la parcelle,taille du terrain,contenance,surface de terrain,surface parcelle,superficie de la parcelle,jardin terrain`,
    otherArea: `terrasse,balcon,jardin,cuisine,sejour,salon,cave,garage,surface terrasse,surface jardin,surface sejour,
      surface salon,surface du sejour,surface cuisine,surface balcon,salle a manger,surface cave,surface annexe,
      surface de la terrasse,surface du salon,surface du jardin,largeur de facade,facade a rue,surface sejour salon,
      surface de la cuisine,piece de vie`,
    rooms: 'pieces,piece,nombre de pieces,nb pieces,pieces principales',
    bedrooms: 'chambres,chambre,nombre de chambres,chambres a coucher,nb chambres,chambre s',
    bathrooms: `salles de bain,salle de bain,salles de bains,salle de bains,sdb,salles d eau,salle d eau,salle de bain s,
      salles de douche,salles de bains et douches,bains,salle d eau s,salle de douche,nb de salle de bains`,
    floor: 'etage,niveau,numero d etage,situe a l etage,a l etage,etage du bien,n etage',
    otherCount: `etages,nombre d etages,niveaux,nombre de niveaux,parkings,parking,places de parking,stationnement,garages,
      toilettes,wc,wcs,toilette,vues,photos,facades,nombre de facades,balcons,terrasses,caves,nombre de lots,
      etages du batiment,lots,couchages,exposition,cuisines,nombre de lots de copropriete,disponible le,date de disponibilite`,
    yearBuilt:
      'annee de construction,annee construction,construit en,construction,annee,date de construction,annee du batiment',
    condition: 'etat,etat du bien,etat general,etat du batiment,condition,etat interieur,etat de l immeuble',
    energyRating: `dpe,classe energie,classe energetique,diagnostic de performance energetique,performance energetique,peb,
      etiquette energie,consommation energetique,bilan energetique,classe dpe,consommation energie,label peb,
      diagnostic energetique,classe energie dpe,energie,cpe,efficacite energetique,classe peb,certificat peb,consommation`,
    emissionsRating: `ges,classe ges,emissions,emissions de ges,emission de gaz a effet de serre,gaz a effet de serre,
      emissions co2,classe climat,emission ges,indice d emission de gaz a effet de serre,climat,emissions de co2`,
    operation:
      'type d offre,transaction,type de transaction,type d annonce,offre,operation,nature de la transaction,type de vente',
    type: `type,type de bien,type de logement,categorie,nature du bien,bien,type d appartement,type de maison,type bien,
      sous type,type de propriete,type d habitation,type d objet`,
    status: 'disponibilite,statut,disponible,etat de l annonce',
    reference: `reference,ref,reference annonce,reference de l annonce,ref annonce,numero d annonce,reference agence,
      code,reference du bien,n d annonce,id,ref agence,ref client,code annonce,n de reference,code immoweb,ref bien,
      numero de reference,mandat,n mandat,numero de mandat`,
    publishedAt:
      'publie,publie le,date de publication,mise en ligne,date,annonce publiee le,annonce du,date de parution,en ligne depuis,publiee le,date de mise en ligne',
    updatedAt:
      'mis a jour,mise a jour,mis a jour le,derniere mise a jour,date de mise a jour,actualise le,maj,annonce mise a jour le,modifie le',
    advertiserName: `annonceur,agence,agent,vendeur,proprietaire,agence immobiliere,publie par,conseiller,votre conseiller,
      negociateur,notaire,promoteur,votre contact,presente par,bailleur,agent immobilier,mandataire,
      commercialise par,votre agence,avocat`,
    advertiserPhone:
      'telephone,tel,portable,appeler,numero de telephone,mobile,afficher le telephone,gsm,fixe',
    advertiserType: 'type d annonceur,type de vendeur,annonce de',
    address: 'adresse,rue,adresse du bien,adresse complete',
    neighbourhood: 'quartier,secteur,arrondissement,lieu dit',
    municipality: 'ville,commune,localite,municipalite,ville commune',
    province: 'departement,region,province,canton',
    postcode: 'code postal,cp,npa',
    country: 'pays',
    location: 'localisation,lieu,situation,emplacement,ou se situe',
  },
  sections: {
    description: `description,description du bien,description de l annonce,a propos du bien,a propos de ce bien,details,
      descriptif,presentation,le bien,descriptif du bien,presentation du bien,l avis du professionnel,informations,
      en detail,a propos de cette maison,a propos de cet appartement,descriptif detaille`,
    features: `caracteristiques,equipements,les plus,prestations,criteres,caracteristiques du bien,interieur,exterieur,
      atouts,points forts,caracteristiques generales,caracteristiques principales,les atouts,confort,details du bien,
      caracteristiques detaillees,general,autres caracteristiques,les caracteristiques`,
    similar: `annonces similaires,biens similaires,similaires,vous aimerez aussi,ces annonces pourraient vous interesser,
      autres annonces,nos autres biens,autres biens,cela pourrait vous interesser,a decouvrir aussi,dans le meme secteur,
      annonces recommandees,biens a proximite,ces biens peuvent vous interesser,annonces de l agence,nos coups de coeur,
      vous pourriez aussi aimer,recherches similaires,coups de coeur,vus recemment,
      ces biens pourraient vous interesser,dernieres annonces,recommandations,les internautes ont aussi consulte,
      ces annonces peuvent vous interesser`,
    advertiser:
      'annonceur,contact,contacter,contacter l annonceur,l agence,votre contact,contacter l agence,agence,a propos de l agence,votre conseiller',
    location: 'localisation,carte,situation,quartier,emplacement,ou se trouve le bien',
  },
  operation: {
    sale: 'a vendre,vente,vend,achat,acheter,vends,en vente,vente de,a acheter,vendu,vendue,ventes,acquisition,viager,vente aux encheres,mise a prix,encheres',
    rent: 'a louer,location,louer,loue,en location,locations,location de,loyer,louee,bail,location meublee,location vacances,colocation,a la location',
  },
  subtype: {
    apartment: 'appartement,appartements,appart,rez de chaussee,flat,appt,appartement terrasse,rez de jardin',
    house: `maison,maisons,villa,villas,pavillon,maison de ville,chalet,ferme,fermette,maison individuelle,propriete,
      maison mitoyenne,bungalow,maison de maitre,longere,manoir,chateau,mas,bastide,corps de ferme,bel etage,
      maison villa,maison de village,hotel particulier,maison jumelee,maison de campagne,gite,demeure,mas provencal`,
    duplex: 'duplex,triplex,souplex',
    penthouse: 'penthouse,attique,toit terrasse appartement,dernier etage terrasse',
    studio: 'studio,studios,studette,chambre de bonne,kot',
    loft: 'loft,atelier loft',
    room: 'chambre a louer,chambre chez l habitant,colocation,location chambre,chambre en colocation,chambre meublee,chambre etudiant',
    land: 'terrain,terrains,terrain a batir,terrain constructible,terrain agricole,terrain de loisirs,parcelle,terrain viabilise',
    building:
      'immeuble,immeubles,immeuble de rapport,immeuble mixte,immeuble a appartements,immeuble d habitation',
    office: 'bureau,bureaux,espace de bureau,immeuble de bureaux,plateau de bureaux',
    premises:
      'local commercial,commerce,local,boutique,entrepot,fonds de commerce,locaux,hangar,local d activite,restaurant,local professionnel,magasin,rez commercial,hotel,locaux commerciaux,murs commerciaux,surface commerciale,local d activites',
    garage:
      'garage,parking,box,place de parking,garages,stationnement,emplacement de parking,parkings,box ferme,emplacement exterieur,emplacement interieur',
    storage: 'cave,grenier,box de stockage,stockage,debarras',
    mobile_home: 'mobil home,mobile home,peniche,caravane,mobilhome',
  },
  condition: {
    new: 'neuf,neuve,construction neuve,programme neuf,etat neuf,comme neuf,projet neuf,en construction,nouvelle construction,sur plan,bien neuf,vefa,refait a neuf etat neuf,livraison',
    good: `bon,bon etat,tres bon etat,excellent etat,bon etat general,renove,fraichement renove,refait a neuf,tres bon,entretenu,
      parfait etat,aucun travaux a prevoir,aucuns travaux,renovee,excellent,en bon etat,bien entretenu,etat correct,
      pret a emmenager,impeccable,pas de travaux,sans travaux,entierement renove`,
    to_renovate: `a renover,a rafraichir,a restaurer,travaux a prevoir,a rehabiliter,gros travaux,a moderniser,
      prevoir travaux,avec travaux,a refaire,a reamenager,travaux a effectuer,renovation a prevoir,a rehabiliter`,
  },
  status: {
    reserved:
      'sous compromis,sous offre,reserve,reservee,en cours de vente,sous option,compromis signe,option,offre acceptee,sous promesse,sous compromis de vente',
    withdrawn:
      'vendu,vendue,loue,louee,annonce expiree,n est plus disponible,retire,annonce supprimee,plus disponible,annonce desactivee,bien vendu',
    available:
      'disponible,immediatement,libre,disponible immediatement,a la signature de l acte,a l acte,libre de suite',
  },
  advertiserType: {
    private:
      'particulier,proprietaire,de particulier a particulier,annonce de particulier,entre particuliers,vendeur particulier',
    agency:
      'agence,professionnel,agence immobiliere,immobilier,pro,promoteur,notaire,mandataire,agent immobilier,reseau immobilier,immo,etude notariale,cabinet immobilier,agent commercial',
  },
  energy: {
    in_progress: 'en cours,en attente,a venir,en cours de realisation,non communique en cours',
    exempt: 'non soumis,exempte,non applicable,vierge,dpe non requis,non requis',
  },
  period: {
    month: 'mois,par mois,mensuel,mensuels,mensuelle',
    week: 'semaine,par semaine,hebdomadaire',
    year: 'an,par an,annuel,annee,annuels,ans',
    day: 'jour,par jour,nuit,par nuit,nuitee',
  },
  onRequest:
    'prix sur demande,sur demande,nous consulter,prix nous consulter,a determiner,prix non communique,prix sur requete,faire offre',
  yes: 'oui,inclus,disponible,present',
  no: 'non,aucun,aucune,sans',
}
