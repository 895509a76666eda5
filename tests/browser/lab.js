// What the tests ask of JupyterLab's own application object, as `lesson` in the page.
window.lesson = (() => {
  const LIMIT = 300; // seconds for a whole notebook; lesson 8 trains models while one waits

  const run = command => window.jupyterapp.commands.execute(command);
  const panel = () => window.jupyterapp.shell.currentWidget;
  const cells = () => panel().content.widgets;
  const isCode = cell => cell.model.type === 'code';
  const marks = (cell, key) => cell.model.getMetadata(key) || {};

  const pause = seconds => new Promise(resolve => setTimeout(resolve, 1000 * seconds));

  async function late() {
    await pause(LIMIT);
    throw new Error(`no end within ${LIMIT} seconds`);
  }

  async function open(path) {
    const opened = await window.jupyterapp.commands.execute('docmanager:open', { path, factory: 'Notebook' });
    await opened.context.ready;
    await opened.sessionContext.ready;
    await opened.sessionContext.session.kernel.info;
    await opened.revealed;
  }

  async function close() {
    const opened = panel();
    if (!opened || !opened.sessionContext) return;
    await opened.sessionContext.shutdown();
    opened.dispose();
  }

  function answer(answers) {
    for (const cell of cells()) {
      const name = marks(cell, 'nbgrader').grade_id;
      if (name in answers) cell.model.sharedModel.setSource(answers[name]);
    }
  }

  async function runEach() {
    for (const [at, cell] of cells().entries()) {
      if (!isCode(cell)) continue;
      panel().content.activeCellIndex = at;
      await run('notebook:run-cell');
    }
  }

  function read() {
    return cells().filter(isCode).map(cell => ({
      name: marks(cell, 'nbgrader').grade_id,
      picture: Boolean(marks(cell, 'autograder').picture),
      answer: Boolean(marks(cell, 'nbgrader').solution),
      source: cell.model.sharedModel.getSource(),
      ran: cell.model.executionCount !== null,
      outputs: cell.model.outputs.toJSON(),
    }));
  }

  async function shown(name) {
    const at = cells().findIndex(each => marks(each, 'nbgrader').grade_id === name);
    const cell = cells()[at];
    await panel().content.scrollToItem(at, 'start');
    await Promise.all([...cell.node.querySelectorAll('img')].map(image => image.decode()));
    return cell.node;
  }

  function dollars(prose) {
    const walk = document.createTreeWalker(prose, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walk.nextNode()) texts.push(walk.currentNode);
    const set = text => text.parentElement.closest('code, mjx-container, .jp-InputArea-editor');
    const left = texts.filter(text => text.data.includes('$') && !set(text));
    return left.map(text => text.data);
  }

  async function misset() {
    const prose = cells().filter(cell => !isCode(cell)).map(cell => cell.node);
    const unread = () => prose.flatMap(dollars); // MathJax sets them in its own time
    for (let tries = 0; tries < 50 && unread().length; tries++) await pause(0.2);
    const wrong = prose.flatMap(each => [...each.querySelectorAll('merror, mtext[mathcolor="red"]')]);
    return [...unread(), ...wrong.map(each => each.textContent)];
  }

  return {
    open, close, answer, read, shown, misset,
    runAll: () => Promise.race([run('notebook:run-all-cells'), late()]),
    runEach: () => Promise.race([runEach(), late()]),
  };
})();
