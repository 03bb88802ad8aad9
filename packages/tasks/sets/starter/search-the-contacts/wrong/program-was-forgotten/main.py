import sys

from contacts import Contacts


def show(entries):
    for name, number in entries:
        print(f"{name} {number}")


def main():
    contacts = Contacts()
    for line in sys.stdin:
        words = line.split()
        if not words:
            continue
        if words[0] == "add" and len(words) == 3:
            contacts.add(words[1], words[2])
        elif words == ["list"]:
            show(contacts.all())
        else:
            print("unknown command")


if __name__ == "__main__":
    main()
