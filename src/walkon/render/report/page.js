// Copies a table as text that spreadsheets understand.
document.addEventListener("click", (event) => {
  const button = event.target.closest("button.copy");
  if (!button) return;
  const rows = document.getElementById(button.dataset.table).rows;
  const text = Array.from(rows, (row) => Array.from(row.cells, (cell) => cell.textContent.trim()).join("\t")).join("\n");
  const say = (word) => {
    button.textContent = word;
    setTimeout(() => (button.textContent = "Copy table"), 1500);
  };
  // A page that was opened as a file may have no clipboard.
  const plainly = () => {
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    say(done ? "Copied" : "Not copied");
  };
  if (navigator.clipboard) navigator.clipboard.writeText(text).then(() => say("Copied"), plainly);
  else plainly();
});
