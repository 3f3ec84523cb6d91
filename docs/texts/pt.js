/** Every sentence of the panel in the Portuguese of Brazil, with the names that WhatsApp has for its menus there. */
export const portuguese = {
  // The language of the sentences, as a BCP 47 tag.
  es: 'pt-BR',

  // What happened to a session. A value is the reason or the number of the entry, or its state.
  'Código nuevo': 'Novo código',
  'Un teléfono escaneó el código': 'Um celular escaneou o código',
  'Conectada y lista para usarse': 'Conectada e pronta para usar',
  'Se desconectó': 'Desconectou-se',
  'Nadie escaneó el código a tiempo': 'Ninguém escaneou o código a tempo',
  'Nuevo estado: {0}': 'Novo estado: {0}',
  'Al abrir la página: {0}': 'Ao abrir a página: {0}',
  'Se agregó a la lista: {0}': 'Foi adicionada à lista: {0}',
  'Comenzó a levantarse': 'Começou a iniciar',
  'Se pidió eliminarla': 'Foi solicitada a exclusão',
  Eliminada: 'Excluída',
  'No se eliminó; sigue en la lista: {0}': 'Não foi excluída; continua na lista: {0}',
  'No se pudo levantar: {0}': 'Não foi possível iniciar: {0}',
  'No se pudo eliminar: {0}': 'Não foi possível excluir: {0}',
  'Mensaje aceptado por el servidor: {0}': 'Mensagem aceita pelo servidor: {0}',
  'Mensaje no aceptado: {0}': 'Mensagem não aceita: {0}',
  'El servidor se reinició': 'O servidor reiniciou',
  'Pasó a otro servidor': 'Passou para outro servidor',
  'Se creó un enlace': 'Um link foi criado',
  'Se abrió el enlace': 'O link foi aberto',
  'El enlace ya no hace falta: está conectada': 'O link não é mais necessário: está conectada',
  'Se anuló el enlace': 'O link foi cancelado',
  'El enlace venció': 'O link expirou',
  'Se cambió el proxy': 'O proxy foi alterado',

  // How a test message ended that was not accepted, and to whom it was to go.
  'No se envió el mensaje: {0}.': 'A mensagem não foi enviada: {0}.',
  'El servidor no aceptó el mensaje: {0}.': 'O servidor não aceitou a mensagem: {0}.',
  'El servidor no confirmó el mensaje: {0}.': 'O servidor não confirmou a mensagem: {0}.',

  // The screen and the dialog that adds a session.
  'Administrador de Whatsapp Operadores': 'Administrador do WhatsApp Operadores',
  'Agregar una nueva sesión': 'Adicionar uma nova sessão',
  'Sesiones activas': 'Sessões ativas',
  'Se avisa por {0}': 'Avisa-se por {0}',
  'No hay sesiones activas': 'Não há sessões ativas',
  'Mensaje de Prueba': 'Mensagem de teste',
  Número: 'Número',
  Estado: 'Estado',
  'Qué hacer': 'O que fazer',
  Desde: 'Desde',
  'Enviar Mensaje': 'Enviar mensagem',
  'Levantar Sesión': 'Iniciar sessão',
  'Eliminar Sesión': 'Excluir sessão',
  'Número de teléfono': 'Número de telefone',
  'Ingresa el número de teléfono (sin espacios ni guiones)':
    'Digite o número de telefone (sem espaços nem hifens)',
  Agregar: 'Adicionar',
  Cancelar: 'Cancelar',

  // Before a session is deleted.
  '¿Estas seguro de eliminar la sesión de {0}?': 'Tem certeza de que deseja excluir a sessão de {0}?',
  'Interrumpirás la conexión y deberás escanear nuevamente el QR':
    'A conexão será interrompida e você precisará escanear o código QR novamente',
  Eliminar: 'Excluir',

  // Notices, and why a call failed.
  'La sesión de {0} comenzará a levantarse': 'A sessão de {0} vai começar a iniciar',
  'por {0}': 'por {0}',
  'La sesión de {0} ha sido eliminada': 'A sessão de {0} foi excluída',
  'Sesión de {0} autenticada y lista para usarse': 'Sessão de {0} autenticada e pronta para usar',
  'Sin conexión con el servidor': 'Sem conexão com o servidor',
  'El servidor no respondió': 'O servidor não respondeu',
  'El servidor no aceptó la solicitud': 'O servidor não aceitou a solicitação',
  'El servidor tuvo un error': 'Ocorreu um erro no servidor',
  'Network Error': 'Erro de rede',
  'Request aborted': 'Solicitação cancelada',
  'timeout of {0} ms exceeded': 'tempo limite de {0} ms excedido',
  'Request failed with status code {0}': 'A solicitação falhou com o código de status {0}',

  // What is on the screen beside the sessions.
  'Cargando las sesiones': 'Carregando as sessões',
  'El servidor todavía no responde.': 'O servidor ainda não responde.',
  'No se pudo cargar la lista de sesiones': 'Não foi possível carregar a lista de sessões',
  Reintentar: 'Tentar novamente',
  'WhatsApp sin vincular': 'WhatsApp não vinculado',
  'Ten a mano el teléfono de este número: vas a escanear un código.':
    'Tenha em mãos o celular deste número: você vai escanear um código.',
  'Pide a quien administra las sesiones que lo vincule.': 'Peça a quem administra as sessões que o vincule.',
  'Agrega un número y escanea el código con el teléfono.':
    'Adicione um número e escaneie o código com o celular.',
  'Agregar la primera sesión': 'Adicionar a primeira sessão',
  'Mensaje enviado a {0}': 'Mensagem enviada para {0}',
  'El número de destino no es válido.': 'O número de destino não é válido.',
  "El número '{0}' no se puede pedir al servidor.": "Não é possível pedir o número '{0}' ao servidor.",
  'debes iniciar sesión de nuevo': 'faça login novamente',
  'La página no pudo dar el permiso de acceso al servidor.':
    'A página não conseguiu fornecer a permissão de acesso ao servidor.',
  'El servidor respondió con una página web; tal vez tengas que iniciar sesión de nuevo.':
    'O servidor respondeu com uma página da web; talvez você precise fazer login novamente.',
  'El servidor respondió con datos que el panel no entiende.':
    'O servidor respondeu com dados que o painel não entende.',
  'Código QR para vincular {0}': 'Código QR para vincular {0}',
  'El código QR que envió el servidor no se puede dibujar.':
    'Não é possível desenhar o código QR enviado pelo servidor.',
  'Esperando al servidor': 'Aguardando o servidor',
  Avisos: 'Avisos',
  'y {0} más': 'e mais {0}',
  'Tiempo hasta que se cierra': 'Tempo até fechar',
  '© {0} {1}': '© {0} {1}',
  'Se cayó {0}: {1}': '{0} caiu: {1}',
  '{0} sesiones cambiaron de estado': '{0} sessões mudaram de estado',
  '{0} sesiones cambiaron de estado; se cayeron: {1}': '{0} sessões mudaram de estado; caíram: {1}',
  '{0} sesiones llevan demasiado tiempo esperando': '{0} sessões estão esperando há tempo demais',
  'Sin conexión con el servidor desde las {0}. Lo que ves puede haber cambiado. Reintentando…':
    'Sem conexão com o servidor desde as {0}. O que você vê pode ter mudado. Tentando novamente…',
  'El panel tuvo un error inesperado.': 'Ocorreu um erro inesperado no painel.',
  'Esta sesión no se puede mostrar.': 'Não é possível mostrar esta sessão.',

  // What a session is in, and what to do about it.
  'Conectada: envía y recibe mensajes.': 'Conectada: envia e recebe mensagens.',
  'El teléfono se está vinculando.': 'O celular está sendo vinculado.',
  'Está desconectada de WhatsApp.': 'Está desconectada do WhatsApp.',
  'Levántala para volver a usarla.': 'Inicie a sessão para voltar a usá-la.',
  'El servidor la está eliminando.': 'O servidor está excluindo a sessão.',
  'Se está conectando con WhatsApp; suele tardar menos de un minuto.':
    'Está se conectando ao WhatsApp; costuma levar menos de um minuto.',
  'WhatsApp no responde; el servidor lo sigue intentando.':
    'O WhatsApp não responde; o servidor continua tentando.',
  'Está abierta en otro WhatsApp Web.': 'Está aberta em outro WhatsApp Web.',
  'Ciérrala allí o levanta la sesión.': 'Feche-a lá ou inicie a sessão.',
  'WhatsApp ya no acepta la versión del servidor: avisa a quien lo administra.':
    'O WhatsApp não aceita mais a versão do servidor: avise quem o administra.',
  'La red del servidor bloquea WhatsApp: avisa a quien administra el servidor.':
    'A rede do servidor bloqueia o WhatsApp: avise quem administra o servidor.',
  'WhatsApp bloqueó esta cuenta. Mira el aviso en el teléfono.':
    'O WhatsApp bloqueou esta conta. Veja o aviso no celular.',
  'El servidor no ha abierto WhatsApp.': 'O servidor não abriu o WhatsApp.',
  'Levanta la sesión.': 'Inicie a sessão.',
  'El teléfono la desvinculó.': 'O celular desvinculou a sessão.',
  'Levanta la sesión y escanea el código.': 'Inicie a sessão e escaneie o código.',
  'Nadie escaneó el código a tiempo.': 'Ninguém escaneou o código a tempo.',
  'Levanta la sesión para generar otro.': 'Inicie a sessão para gerar outro.',
  'Estado desconocido: si sigue igual, avisa a quien administra el servidor.':
    'Estado desconhecido: se continuar assim, avise quem administra o servidor.',
  'El servidor está preparando el código.': 'O servidor está preparando o código.',
  'Escanéalo con el teléfono de este número.': 'Escaneie-o com o celular deste número.',
  'Falta escanear el código.': 'Falta escanear o código.',
  'El código venció y el servidor no ha enviado otro.': 'O código expirou e o servidor não enviou outro.',
  'El servidor no ha enviado el código. Puede estar saturado o no poder abrir WhatsApp.':
    'O servidor não enviou o código. Pode estar sobrecarregado ou não conseguir abrir o WhatsApp.',
  'El teléfono escaneó el código, pero no se conecta. Abre WhatsApp en el teléfono.':
    'O celular escaneou o código, mas não se conecta. Abra o WhatsApp no celular.',
  'Sigue así desde hace más de tres minutos.': 'Continua assim há mais de três minutos.',
  'El servidor no responde a la solicitud de eliminarla.':
    'O servidor não responde à solicitação de exclusão.',
  'El servidor todavía no responde. Si sigue igual, avisa a quien administra el servidor.':
    'O servidor ainda não responde. Se continuar assim, avise quem administra o servidor.',
  'Conectada, pero la última prueba de envío falló.': 'Conectada, mas o último teste de envio falhou.',
  'Conectada, pero las dos últimas pruebas de envío fallaron.':
    'Conectada, mas os dois últimos testes de envio falharam.',
  'Levántala de nuevo; si sigue igual, avisa a quien administra el servidor.':
    'Reinicie a sessão; se continuar assim, avise quem administra o servidor.',

  // The labels of the buttons for the remedies.
  Levantar: 'Iniciar',
  'Ver código': 'Ver código',
  'Generar otro': 'Gerar outro',
  Continuar: 'Continuar',
  'Se cayó el {0}': 'Caiu em {0}',
  'Se cayó a las {0}': 'Caiu às {0}',
  '{0}. Hasta el {1}.': '{0}. Até {1}.',

  // The code at full size.
  'Ampliar el código QR de {0}': 'Ampliar o código QR de {0}',
  'Vincular {0}': 'Vincular {0}',
  'Código vencido': 'Código expirado',
  'Mostrar de todos modos': 'Mostrar mesmo assim',
  'Abre WhatsApp en el teléfono de este número': 'Abra o WhatsApp no celular deste número',
  'Toca ⋮ (Android) o Configuración (iPhone) → Dispositivos vinculados':
    'Toque em ⋮ (Android) ou Configurações (iPhone) → Aparelhos conectados',
  'Toca Vincular un dispositivo': 'Toque em Conectar um aparelho',
  'Apunta la cámara a este código': 'Aponte a câmera para este código',
  'Si el teléfono pide una llave de acceso': 'Se o celular pedir uma chave de acesso',
  'Confírmala en el teléfono. Si sigue igual, avisa a quien administra el servidor.':
    'Confirme-a no celular. Se continuar assim, avise quem administra o servidor.',
  'Esta sesión ya no está en la lista.': 'Esta sessão não está mais na lista.',

  // Finding one among many.
  Buscar: 'Pesquisar',
  '{0} de {1} conectadas': '{0} de {1} conectadas',
  'En espera': 'Em espera',
  'Requieren atención': 'Requerem atenção',
  'Se cayeron': 'Caíram',
  'Requiere atención': 'Requer atenção',
  'Se cayó': 'Caiu',
  Todas: 'Todas',
  Lista: 'Lista',
  Tarjetas: 'Cartões',
  Orden: 'Ordem',
  'Como en el servidor': 'Como no servidor',
  'Por urgencia': 'Por urgência',
  '{0} de {1} sesiones': '{0} de {1} sessões',
  'Ninguna sesión coincide con lo que buscas.': 'Nenhuma sessão corresponde à sua pesquisa.',
  'Mostrar todas': 'Mostrar todas',

  // Many at once.
  'Seleccionar {0}': 'Selecionar {0}',
  'Las que hay que levantar ({0})': 'As que precisam ser iniciadas ({0})',
  'Todas ({0})': 'Todas ({0})',
  'La visible': 'A visível',
  'Las {0} visibles': 'As {0} visíveis',
  'Quitar selección': 'Limpar seleção',
  '{0} seleccionada': '{0} selecionada',
  '{0} seleccionadas': '{0} selecionadas',
  'Levantar ({0})': 'Iniciar ({0})',
  'Agrupar…': 'Agrupar…',
  'Agrupar ({0})': 'Agrupar ({0})',
  'Crear enlaces ({0})': 'Criar links ({0})',
  'Levantando {0} de {1}': 'Iniciando {0} de {1}',
  'Levantadas: {0} de {1}': 'Iniciadas: {0} de {1}',
  'Agrupadas: {0} de {1}': 'Agrupadas: {0} de {1}',
  'Enlaces creados: {0} de {1}': 'Links criados: {0} de {1}',
  '{0} falló': '{0} falhou',
  '{0} fallaron': '{0} falharam',
  '{0} pendiente': '{0} pendente',
  '{0} pendientes': '{0} pendentes',
  Detener: 'Parar',

  // What happened.
  ahora: 'agora',
  'hace {0} min': 'há {0} min',
  'hace {0} h': 'há {0} h',
  'hace {0} d': 'há {0} d',
  '{0}\u00a0min': '{0}\u00a0min',
  '{0}\u00a0h': '{0}\u00a0h',
  'Abrir {0}': 'Abrir {0}',
  'Los últimos 50 sucesos desde que abriste esta página':
    'Os últimos 50 acontecimentos desde que você abriu esta página',
  'Historial de {0}': 'Histórico de {0}',
  Cerrar: 'Fechar',
  Copiar: 'Copiar',
  Copiado: 'Copiado',
  'Está seleccionado: cópialo con el teclado.': 'Está selecionado: copie com o teclado.',

  // How a test message ended.
  'Aceptado por el servidor a las {0}': 'Aceita pelo servidor às {0}',
  'El servidor todavía no responde: no se sabe si el mensaje salió.':
    'O servidor ainda não responde: não se sabe se a mensagem foi enviada.',
  'Escribe solo dígitos, con el código de país.': 'Digite somente algarismos, com o código do país.',
  'Mira en el teléfono si salió antes de repetirlo.':
    'Veja no celular se a mensagem foi enviada antes de repetir.',
  'Reinténtalo; si sigue igual, avisa a quien administra el servidor.':
    'Tente novamente; se continuar assim, avise quem administra o servidor.',

  // Names and groups.
  'Nombre, número…': 'Nome, número…',
  Grupo: 'Grupo',
  'Todos los grupos': 'Todos os grupos',
  'Sin grupo': 'Sem grupo',
  '{0} requiere atención': '{0} requer atenção',
  '{0} requieren atención': '{0} requerem atenção',
  '{0} conectada': '{0} conectada',
  '{0} conectadas': '{0} conectadas',
  '{0} sesión': '{0} sessão',
  '{0} sesiones': '{0} sessões',
  'Nombre y grupo': 'Nome e grupo',
  Nombre: 'Nome',
  Proxy: 'Proxy',
  'socks5://usuario:clave@host:1080': 'socks5://usuario:senha@host:1080',
  Guardar: 'Salvar',

  // While a numero is typed.
  'No caben más de {0} caracteres: revisa el número.': 'Não cabem mais de {0} caracteres: confira o número.',
  'Ya está en la lista. Levantarla de nuevo la interrumpe si está conectada.':
    'Já está na lista. Se estiver conectada, reiniciá-la interrompe a conexão.',

  // The menu of a session.
  'Más acciones de {0}': 'Mais ações de {0}',
  'Enviar enlace': 'Enviar link',
  Desvincular: 'Desvincular',
  '¿Desvincular el WhatsApp de {0}?': 'Desvincular o WhatsApp de {0}?',
  'Dejará de enviar y recibir, y habrá que vincular el teléfono de nuevo. Quítala también en el teléfono, en Dispositivos vinculados.':
    'Deixará de enviar e receber, e será preciso vincular o celular novamente. Remova-a também no celular, em Aparelhos conectados.',

  // What a server with extensions tells of a session.
  'El servidor ya no lo ofrece.': 'O servidor não oferece mais isso.',
  'Desde {0}': 'Desde {0}',
  'hace poco': 'há pouco',
  'Última señal: {0}': 'Último sinal: {0}',
  'Chats nuevos usados: {0} de {1}': 'Conversas novas usadas: {0} de {1}',
  'Sale por el proxy {0}': 'Sai pelo proxy {0}',
  'Enlace enviado, vence a las {0}': 'Link enviado, expira às {0}',
  'Enlace abierto a las {0}': 'Link aberto às {0}',
  'Ver anteriores': 'Ver anteriores',
  'No hay nada anterior.': 'Não há nada anterior.',
  'Cargando el historial del servidor…': 'Carregando o histórico do servidor…',
  'No se pudo cargar el historial del servidor: {0}.':
    'Não foi possível carregar o histórico do servidor: {0}.',
  'Último día: {1}, {2} sin conexión': 'Último dia: {1}, {2} sem conexão',
  'Últimos {0} días: {1}, {2} sin conexión': 'Últimos {0} dias: {1}, {2} sem conexão',
  '{0} caída': '{0} queda',
  '{0} caídas': '{0} quedas',

  // Linking with a code to type.
  Escanear: 'Ler um código',
  'Escribir un código': 'Digitar um código',
  'Código: {0}': 'Código: {0}',
  'Copiar código': 'Copiar código',
  'Vence en {0}': 'Expira em {0}',
  'Toca Vincular un dispositivo → Vincular con el número de teléfono':
    'Toque em Conectar um aparelho → Conectar com número de telefone',
  'Escribe este código': 'Digite este código',

  // The link for who has the phone.
  'Enlace para vincular {0}': 'Link para vincular {0}',
  'Confirmar la llave de acceso de {0}': 'Confirmar a chave de acesso de {0}',
  'Envíalo a quien tiene el teléfono.': 'Envie-o a quem está com o celular.',
  'Abre este enlace en una computadora, cerca del teléfono.':
    'Abra este link em um computador, perto do celular.',
  'Creando el enlace…': 'Criando o link…',
  'No se pudo crear el enlace: {0}.': 'Não foi possível criar o link: {0}.',
  'Este enlace ya no sirve.': 'Este link não funciona mais.',
  'No se puede volver a mostrar. Crear otro lo anula.':
    'Não é possível mostrá-lo de novo. Criar outro o cancela.',
  'Ya está conectada.': 'Já está conectada.',
  'Crear otro': 'Criar outro',
  Anular: 'Cancelar link',

  // What became of a test message.
  'Aceptado por WhatsApp': 'Aceita pelo WhatsApp',
  Entregado: 'Entregue',
  Leído: 'Lida',
  '{0} a las {1}': '{0} às {1}',
  'No se entregó: {0}.': 'Não foi entregue: {0}.',
  'WhatsApp lo rechazó': 'O WhatsApp a rejeitou',
};
